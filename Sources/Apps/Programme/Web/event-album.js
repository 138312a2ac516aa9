// The album on an event's page: its code for whoever is there, and the choice to have one.

import { computed, effect, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { onNews } from '/live.js';
import { now, zone } from '/place.js';
import { change, load, session } from '/session.js';
import { isComing } from '/programme/days.js';
import { albumWords as words } from '/programme/event-album-words.js';

const news = signal(0); // grows whenever an event may have another album
for (const name of ['event-album', 'programme', 'live']) onNews(name, () => news.set(news.peek() + 1));

const address = ({ id }) => `/api/v1/space/events/${encodeURIComponent(id)}/album`;

/** The identifier of an event that takes place more than once has the time in it. */
const isRecurring = ({ id }) => id.includes('-');

function code(album) {
  const picture = signal('');
  import('/code-picture.js').then(({ pictureOf }) => pictureOf(album.join_url)).then(picture.set).catch(console.error);
  return html`${() => (picture() ? html`<img src=${picture()} alt=${words.code} width="240" height="240">` : '')}`;
}

const link = (url, text, style = 'button') => (url ? html`<a class=${style} href=${url}>${text}</a>` : '');

function shown(album, act) {
  const isOpen = album.state === 'open';
  const release = html`<button type="button" class="plain" @click=${() => act('DELETE')}>${
    album.every_time ? words.releaseAll : words.release}</button>`;
  return html`<p><strong>${album.name}</strong></p>
    <p>${isOpen ? words.how[album.mode] : words.closed}</p>
    ${isOpen ? code(album) : ''}
    ${isOpen && album.closes_at ? html`<p class="quiet">${words.until(Date.parse(album.closes_at), zone())}</p>` : ''}
    ${album.every_time ? html`<p class="quiet">${words.everyTime}</p>` : ''}
    <p class="actions">${link(album.join_url, words.open, 'button primary')}
      ${isOpen && session() ? link(album.card_url, words.print) : ''}${link(album.host_url, words.host)}</p>
    ${album.host_url ? release : ''}`;
}

function wish(event, act, isBusy) {
  const isAsking = signal(false);
  const submit = (submission) => {
    submission.preventDefault();
    const { mode, every } = submission.target.elements;
    act('PUT', { mode: mode.value, every_time: Boolean(every?.checked) });
  };
  const choice = (mode) => html`<label><input type="radio" name="mode" value=${mode} checked=${mode === 'family'}>
    ${words.choice[mode]}</label>`;
  const form = () => html`<form @submit=${submit}><fieldset><legend>${words.who}</legend>${choice('family')}${
    choice('open')}</fieldset>
    ${isRecurring(event) ? html`<label><input type="checkbox" name="every"> ${words.every}</label>` : ''}
    <p class="actions"><button class="button primary" aria-busy=${isBusy}>${words.make}</button>
    <button type="button" class="plain" @click=${() => isAsking.set(false)}>${words.cancel}</button></p></form>`;
  return html`<p>${words.none}</p>${() => (isAsking() ? form() : html`<p class="actions">
    <button type="button" class="button" @click=${() => isAsking.set(true)}>${words.wish}</button></p>`)}`;
}

/** The album of this event; nothing on a hub without albums. */
export function albumSection(event) {
  const answer = signal(null);
  const told = signal('');
  const { doing, note, isBusy } = careful();
  const take = (next) => {
    if (JSON.stringify(next) === told.peek()) return; // what is typed stays
    told.set(JSON.stringify(next));
    answer.set(next);
  };
  const act = (method, body) => doing(async () => take(await change(method, address(event), body)));
  effect(() => {
    news();
    if (session() !== undefined) load(address(event)).then(take).catch(() => {}); // without the hub there is none
  });
  const isSeen = computed(() => Boolean(answer()?.album || (answer()?.may_make && isComing(event, now()))));
  return () => (isSeen() ? html`<section class="event-album" aria-labelledby="event-album">
    <h3 id="event-album">${words.title}</h3>
    ${() => (answer().album ? shown(answer().album, act) : wish(event, act, isBusy))}${note}</section>` : '');
}
