// The panel for subscribing: to the whole programme, one calendar, or one's favourites.

import { computed, effect, element, html, signal } from '/ui.js';
import { copyText } from '/copying.js';
import { careful } from '/doing.js';
import { ownAddress } from '/own-address.js';
import { place } from '/place.js';
import { change, session } from '/session.js';
import { calendars, dot, isEmpty, severalCalendars } from '/programme/calendars.js';
import { person } from '/programme/favourites-list.js';
import { programme } from '/programme/model.js';
import { shown } from '/programme/route.js';
import { subscribeWords as words } from '/programme/subscribe-words.js';

const ROUTE = '/api/v1/space/favourites/subscription';
const THANKS = 2_500; // milliseconds for which "copied" is shown

element('space-subscribe', (host) => {
  const what = signal('all');         // 'all', 'favourites', or a calendar's identifier
  const favourites = signal(null); // the address of one's favourites, null without one
  const asking = careful();
  const copying = careful(() => words.notCopied);
  const copied = signal(false);
  const isOpen = signal(false);

  const secret = (method) => asking.atOnce(async () => favourites.set((await change(method, ROUTE))?.url ?? null));
  effect(() => {
    person();
    favourites.set(null); // the next person has another one
  });
  effect(() => { if (what() === 'favourites' && session() && isOpen()) secret('GET'); });

  const own = signal(location.origin);
  ownAddress().then(own.set);
  const url = computed(() => {
    if (what() === 'all') return `${own()}/space/calendar.ics`;
    if (what() === 'favourites') return session() ? favourites() : null;
    return `${own()}/space/calendars/${encodeURIComponent(what())}.ics`;
  });
  const webcal = () => url().replace(/^https?:/, 'webcal:');

  const copyNow = () => copying.atOnce(async () => {
    await copyText(url.peek());
    copied.set(true);
    setTimeout(() => copied.set(false), THANKS);
  }, () => host.querySelector('.subscribe-address input').select()); // where the browser does not let the page

  const choice = (id, name, color) => html`<button type="button" class="calendar-choice"
    aria-pressed=${() => String(what() === id)} @click=${() => what.set(id)}>${color ? dot(color) : ''}
    <span>${name}</span></button>`;

  const address = () => html`
    <p class="actions"><a class="button primary" href=${webcal}>${words.open}</a></p>
    <div class="subscribe-address"><input type="text" readonly aria-label=${words.address} .value=${url}>
      <button type="button" class="button" @click=${copyNow}>${() => (copied() ? words.copied : words.copy)}</button>
    </div>
    <p class="visually-hidden" role="status">${() => (copied() ? words.copied : '')}</p>
    <p class="quiet">${words.google}</p>`;

  const mine = () => {
    if (!session()) return html`<p>${words.needsPerson} <a href="/join">${words.signIn}</a>.</p>`;
    return favourites()
      ? html`${address()}<p class="quiet">${words.secret}
          <button type="button" class="plain" @click=${() => secret('DELETE')}>${words.end}</button></p>`
      : html`<p>${words.secretFirst}</p>
          <p class="actions">
            <button type="button" class="button" @click=${() => secret('POST')}>${words.make}</button></p>`;
  };

  const several = () => (severalCalendars() ? [...calendars().values()].map(({ id, name, color }) =>
    choice(id, name, color)) : '');
  const body = () => html`
    <div class="calendar-choices" role="group" aria-label=${words.what}>
      ${choice('all', words.all)}${several}${choice('favourites', words.favourites)}</div>
    ${() => (what() === 'favourites' ? mine() : address())}
    ${asking.note}${copying.note}`;

  const hidden = () => shown() !== null || place() === null || programme() === undefined || isEmpty();
  return html`<details class="subscribe" hidden=${hidden} @toggle=${({ target }) => isOpen.set(target.open)}>
    <summary>${words.title}</summary>
    ${() => (isOpen() ? body() : '')}</details>`;
});
