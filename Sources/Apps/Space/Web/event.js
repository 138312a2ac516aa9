// One event, opened by its address.

import { computed, element, html } from '/ui.js';
import { line, programme, today } from '/space/model.js';
import { placed, rules, whenInFull } from '/space/days.js';
import { isWeb, shortAddress } from '/space/contact.js';
import { leave, shown } from '/space/route.js';
import { words } from '/space/words.js';

const chips = { cancelled: words.cancelled, tentative: words.tentative };

/** The description as the hub sanitised it; its links open beside the page, which may be all that is there offline. */
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

const fact = (name, value) => html`<div class="fact"><dt>${name}</dt><dd>${value}</dd></div>`;

function calendarName({ calendar }) {
  const sources = programme().sources ?? [];
  return sources.length > 1 ? sources.find((source) => source.calendar === calendar)?.name : undefined;
}

const calendarFile = ({ id }) => `/api/v1/space/events/${encodeURIComponent(id)}.ics`;

function detail(event) {
  const it = placed(event);
  const chip = chips[event.status];
  const from = calendarName(event);
  return html`
    <h2 tabindex="-1">${event.status === 'cancelled' ? html`<s>${event.title}</s>` : event.title}</h2>
    ${chip ? html`<p><span class="chip" data-kind=${event.status}>${chip}</span></p>` : ''}
    <dl>
      ${fact(words.detail.when, () => whenInFull(it, today()))}
      ${event.location ? fact(words.detail.where, event.location) : ''}
      ${isWeb(event.url) ? fact(words.detail.link, outward(event.url)) : ''}
      ${from ? fact(words.detail.calendar, from) : ''}
    </dl>
    ${event.description_html ? description(event.description_html) : ''}
    <p class="actions"><a class="button" href=${calendarFile(event)} download>${words.addToCalendar}</a>
      <span class="quiet">${() => (line() === 'lost' ? words.needsNetwork : '')}</span></p>`;
}

element('space-event', () => {
  const ready = computed(() => Boolean(rules() && programme()));
  const event = computed(() => (ready() ? programme().events.find(({ id }) => id === shown()) : undefined));
  const body = () => {
    if (!ready()) return html`<p class="quiet">${words.programmePending}</p>`;
    return event() ? detail(event()) : html`<h2 tabindex="-1">${words.notFound}</h2>`;
  };
  return html`${() => (shown() === null ? '' : html`<article class="event">
    <button class="back" @click=${leave}>${words.back}</button>
    ${body}
  </article>`)}`;
});
