// The list of notifications: by day and thread, with their actions.

import { computed, each, html, signal } from '/ui.js';
import { now, zone } from '/place.js';
import { rooms } from '/rooms.js';
import { reusing } from '/session.js';
import { civil, clock, dayLong, dayLongWithYear, yearOf } from '/words.js';
import { answers } from '/bells/answer.js';
import { explained } from '/errors.js';
import { attachmentKind, contentIn, isOpen, levelOf, rowsOf, webAddress } from '/bells/inbox.js';
import {
  bells, failure, fetchOlder, hasOlder, isKnown, items, markSeen, settings, topicOf, unread,
} from '/bells/model.js';
import { language, locale, words } from '/bells/words.js';

const { origin } = globalThis.location ?? {};
const CLOSE = 'M6 6l12 12M18 6L6 18';
const CHECK = 'M5 12.5l4.5 4.5L19 7.5';

const icon = (path) => html`<svg class="icon s" viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;

const problem = signal('');

/** Does something that the hub may refuse, and says so. */
async function doing(act) {
  problem.set('');
  try {
    await act();
  } catch (error) {
    const { title, help } = explained(error);
    problem.set(`${title} ${help}`);
  }
}

function dayName(day) {
  const today = civil(now(), zone()).days;
  const name = yearOf(day) === yearOf(today) ? dayLong(day, locale) : dayLongWithYear(day, locale);
  return { 0: words.today(name), [-1]: words.yesterday }[day - today] ?? name;
}

const timeOf = (at) => clock(civil(Date.parse(at), zone()));

function attachment(one) {
  const name = one.id ?? words.attachment;
  switch (attachmentKind(one, origin)) {
    case 'image': return html`<img class="photo" src=${one.url} alt=${one.alt ?? words.picture} loading="lazy">`;
    case 'audio': return html`<audio controls preload="none" src=${one.url} aria-label=${name}></audio>`;
    case 'video': return html`<video class="photo" controls preload="none" src=${one.url} aria-label=${name}></video>`;
    default: {
      const to = one.url && webAddress(one.url, origin);
      return to ? html`<p class="small"><a class="tall" href=${to} rel="noopener">${words.attachment}: ${name}</a></p>`
        : html`<p class="small quiet">${words.attachment}: ${name}</p>`;
    }
  }
}

function outcome({ state, acted, content }) {
  if (state === 'withdrawn') return words.withdrawn;
  if (!acted) return '';
  const { title } = contentIn(content, language).actions?.find(({ id }) => id === acted.action) ?? {};
  return words.answered(acted.by, title ?? acted.action, timeOf(acted.at));
}

function bell(item) {
  const { id, at, state } = item;
  const content = contentIn(item.content, language);
  const to = content.url && webAddress(content.url, origin);
  const said = outcome(item);
  return html`<li class="bell" id=${id} tabindex="-1" data-unread=${state === 'new'} data-over=${!isOpen(item)}
    data-level=${levelOf(content)}>
    <time datetime=${at}>${timeOf(at)}</time>
    <div class="bell-main"><div>
      <p class="bell-title">${state === 'new' ? html`<span class="visually-hidden">${words.missed} </span>` : ''}${
  content.title ?? words.untitled}</p>
      ${content.subtitle ? html`<p class="bell-subtitle">${content.subtitle}</p>` : ''}
      ${content.body ? html`<p class="bell-body">${content.body}</p>` : ''}
      ${said ? html`<p class="bell-said">${said}</p>` : ''}</div>
      ${(content.attachments ?? []).map(attachment)}
      ${isOpen(item) ? answers(item, content, doing) : ''}
      <div class="bell-foot">${to ? html`<a class="button tight" href=${to} @click=${() => {
    if (state === 'new') markSeen([id]).catch(() => {});
  }}>${words.open}</a>` : html`<span></span>`}<a class="why" href=${`/bells/${id}`}>${words.why}</a></div>
    </div></li>`;
}

const roomOf = (id) => rooms.find((room) => room.id === id);

function threadName({ topic, room, thread }) {
  const found = topicOf(topic) ?? topicOf(thread);
  return found?.names?.[language] ?? found?.name ?? roomOf(room)?.name
    ?? (thread.startsWith('one ') ? '' : thread);
}

function card(row) {
  const name = () => threadName(row);
  const isNew = row.items.some(({ state }) => state === 'new');
  const away = () => doing(() => markSeen(row.items.filter(({ state }) => state === 'new').map(({ id }) => id)));
  return html`<section class="card thread" aria-label=${name}>
    ${() => (name() || isNew ? html`<div class="thread-head">${icon((roomOf(row.room) ?? roomOf('bells')).icon)}
      <h3>${name() || words.one}</h3>
      ${isNew ? html`<button class="round-button" type="button" @click=${away} aria-label=${words.putAway(name())}>${
    icon(CLOSE)}</button>` : ''}</div>` : '')}
    <ul>${row.items.map(bell)}</ul></section>`;
}

const view = (row) => (row.day === undefined ? card(row) : html`<h2 class="day">${() => dayName(row.day)}</h2>`);

function lead() {
  const quiet = settings.value()?.quiet;
  return [words.count(unread()), quiet ? words.quietFrom(quiet) : ''].filter(Boolean).join(' ');
}

/** The age of what is shown, if the hub cannot be reached, or why it does not answer. */
function trouble() {
  if (!failure()) return '';
  const { title, help } = explained(failure());
  const at = bells.confirmed();
  const more = at ? words.asOf(clock(civil(at, zone()))) : help;
  return html`<p class="note" role="status"><strong>${title}</strong> ${more}</p>`;
}

/** A notification that the address names comes into view. */
let isFound = false;
function find() {
  if (isFound || !location.hash) return;
  const one = document.getElementById(location.hash.slice(1));
  if (!one) return;
  isFound = true;
  one.scrollIntoView({ block: 'center' });
  one.focus({ preventScroll: true });
}
globalThis.addEventListener?.('hashchange', () => { isFound = false; find(); });

export function inbox() {
  let before = [];
  const rows = computed(() => {
    const next = reusing(before, rowsOf(items(), zone()));
    before = next;
    setTimeout(find);
    return next;
  });
  const isEmpty = () => isKnown() && items().length === 0;
  return html`<div class="bells-list">
    <header class="head-row"><div><h1>${words.title}</h1><p class="quiet">${() => (isKnown() ? lead() : '')}</p></div>
      ${() => (unread() ? html`<button class="button" type="button" @click=${() => doing(() => markSeen())}>${
    icon(CHECK)} ${words.all}</button>` : '')}</header>
    ${trouble}
    ${() => (problem() ? html`<p class="note" data-kind="bad" role="alert">${problem()}</p>` : '')}
    ${() => (isEmpty() ? html`<p class="empty">${words.empty}</p>` : '')}
    ${each(rows, ({ key }) => key, view)}
    ${() => (hasOlder() ? html`<p class="row"><button class="button" type="button" @click=${() =>
    doing(fetchOlder)}>${words.older}</button></p>` : '')}
  </div>`;
}
