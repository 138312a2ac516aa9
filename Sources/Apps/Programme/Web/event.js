// One event, shown at its own address.

import { computed, effect, element, html, signal } from '/ui.js';
import { isWeb, shortAddress } from '/addresses.js';
import { copyText } from '/copying.js';
import { detailTitle } from '/detail.js';
import { drawing } from '/drawing.js';
import { eventMap, isAddress } from '/map.js';
import { rules } from '/moments.js';
import { ownAddress } from '/own-address.js';
import { now, place, today } from '/place.js';
import { calendars, severalCalendars } from '/programme/calendars.js';
import { placed, whenInFull } from '/programme/days.js';
import { albumSection } from '/programme/event-album.js';
import { acknowledge } from '/programme/favourites.js';
import { favourites } from '/programme/favourites-list.js';
import { changeTexts } from '/programme/changes.js';
import { heartButton } from '/programme/marks.js';
import { viewWords } from '/programme/view-words.js';
import { doorNote, openersSection } from '/programme/openers-view.js';
import { isAway, programme } from '/programme/model.js';
import { eventOf, followEvent, isOnItsWay, isOutOfReach } from '/programme/past.js';
import { leave, ownAddressOf, shown } from '/programme/route.js';
import { statusChip, titleNode, titleOf } from '/programme/rows.js';
import { words as listWords } from '/programme/words.js';
import { civil, isoHere } from '/words.js';

const { event: words } = viewWords;

/** The description, sanitised by the hub; its links open in a new tab, since this page may be all there is offline. */
function description(markup) {
  const box = document.createElement('div');
  box.className = 'description';
  box.innerHTML = markup;
  for (const link of box.querySelectorAll('a[href]')) {
    link.target = '_blank';
    link.rel = 'noopener';
  }
  return box;
}

const outward = (address) => html`<a href=${address} target="_blank" rel="noopener">${shortAddress(address)}
  <span class="visually-hidden">${words.opensNewTab}</span></a>`;

const icons = {
  when: 'M5 5h14a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM3 10h18M8 2.5V6M16 2.5V6',
  where: 'M12 21.5c-4-4.7-6.5-8.2-6.5-11.5a6.5 6.5 0 0 1 13 0c0 3.3-2.5 6.8-6.5 11.5zM12 7.7a2.4 2.4 0 1 1 0 4.8 2.4 '
    + '2.4 0 0 1 0-4.8z',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4.2 4.2 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6-.4l-3 3a4.2 4.2 0 0 0 6 6l1.5-1.5',
  calendar: 'M4 6h16M4 12h16M4 18h10',
};

const fact = (name, value) => html`<div class="fact"><dt>${drawing(icons[name])}
  <span class="visually-hidden">${words.detail[name]}</span></dt><dd>${value}</dd></div>`;

/** When it is by the device's own clock, where that is another one than the space's. */
function whenHere(event) {
  const [start, end] = [event.start, event.end].map((at) => at && isoHere(new Date(at)));
  if (event.all_day || start === event.start.slice(0, 19)) return '';
  const when = whenInFull(placed({ ...event, start, end }), civil(now(), undefined).days);
  return html`<br><small class="quiet">${words.whereYouAre(when)}</small>`;
}

/** The place and the organiser, for visitors who come by a link. */
function where(event) {
  const { location } = event;
  const map = eventMap(event, place());
  const isElsewhere = location && (isWeb(location) || isAddress(location));
  const house = [place()?.name, isElsewhere ? '' : place()?.address].filter(Boolean).join(', ');
  return html`${isWeb(location) ? outward(location) : location ?? ''}
    ${house ? html`<small class="house">${house}</small>` : ''}
    ${map ? html`<a class="map-link" href=${map} target="_blank" rel="noopener">${words.map}
      <span class="visually-hidden">${words.opensNewTab}</span></a>` : ''}`;
}

const calendarFile = ({ id }) => `/api/v1/space/events/${encodeURIComponent(id)}.ics`;

const told = signal(''); // what came of sharing

/** Shares the event by the device's own means, or else copies its address. */
async function share(event) {
  const url = ownAddress().then((own) => own + ownAddressOf(event.id));
  try {
    if (navigator.share) return await navigator.share({ title: titleOf(event), url: await url });
    await copyText(url);
    told.set(words.copied);
  } catch (error) {
    if (error.name !== 'AbortError') told.set(await url);
  }
}

/** The changes since the reader marked it, until they are acknowledged. */
function changed(event) {
  const record = favourites().get(event.id);
  const texts = record ? changeTexts(record, event) : [];
  if (!texts.length) return '';
  const text = (one) => html`<li>${one}</li>`;
  return html`<section class="note changed" aria-labelledby="changed">
    <h3 id="changed">${viewWords.favourites.whatChanged}</h3>
    <ul>${texts.map(text)}</ul>
    <button type="button" class="plain" @click=${() => acknowledge(event)}>${viewWords.favourites.noticed}</button>
  </section>`;
}

function detail(event) {
  const it = placed(event);
  const chip = statusChip(it, false);
  const from = () => (severalCalendars() ? calendars().get(event.calendar)?.name : undefined);
  return html`
    <div class="event-head">
      <h2 tabindex="-1">${titleNode(event)}</h2>
      ${heartButton(event)}
    </div>
    ${chip ? html`<p>${chip}</p>` : ''}
    ${() => doorNote(event)}
    ${() => changed(event)}
    <dl>
      ${fact('when', () => html`${whenInFull(it, today())}${whenHere(event)}`)}
      ${fact('where', () => where(event))}
      ${[event.url, ...(event.attachments ?? [])].filter(isWeb).map((address) => fact('link', outward(address)))}
      ${() => (from() ? fact('calendar', from()) : '')}
    </dl>
    ${openersSection(event)}
    ${albumSection(event)}
    <p class="actions">
      ${event.status === 'cancelled' ? '' : html`<a class="button" href=${calendarFile(event)} download>${
    words.addToCalendar}</a>`}
      <button type="button" class="button" @click=${() => share(event)}>${words.share}</button>
      <span class="quiet" role="status">${() => (isAway() ? words.needsNetwork : told())}</span></p>
    ${event.description_html ? description(event.description_html) : ''}`;
}

element('space-event', () => {
  const ready = computed(() => Boolean(rules() && programme()));
  const event = computed(() => (ready() ? eventOf(shown()) : undefined));
  followEvent(shown);
  effect(() => {
    detailTitle.set(event() ? titleOf(event()) : '');
    told.set('');
  });
  const body = () => {
    if (!ready()) return html`<p class="quiet">${listWords.programmePending}</p>`;
    if (event()) return detail(event());
    if (isOnItsWay(shown())) return html`<p class="quiet">${listWords.programmePending}</p>`;
    return html`<h2 tabindex="-1">${isOutOfReach(shown()) ? words.needsNetwork : words.notFound}</h2>`;
  };
  return html`${() => (shown() === null ? '' : html`<article class="event">
    <button class="back" @click=${leave}>${words.back}</button>
    ${body}
  </article>`)}`;
});
