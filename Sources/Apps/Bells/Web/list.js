// The list of notifications: by day and thread, with their actions.

import { computed, each, html, signal } from '/ui.js';
import { said } from '/moments.js';
import { now, today, zone } from '/place.js';
import { rooms } from '/rooms.js';
import { may, reusing } from '/session.js';
import { civil, clock, dateLong, dayInFull } from '/words.js';
import { careful } from '/doing.js';
import { explain } from '/explain.js';
import { attached } from '/bells/attached.js';
import { answeredAt, attachmentKind, attachmentsOf, isHere, isOpen, isOurs, levelOf, rowsOf } from '/bells/inbox.js';
import { beside } from '/bells/late.js';
import {
  bells, devices, failure, fetchOlder, hasOlder, isKnown, items, markSeen, settings, topicOf, unread,
} from '/bells/model.js';
import { privateWords } from '/bells/private-words.js';
import { rules, shown } from '/bells/rules.js';
import { inLanguage } from '/bells/shown.js';
import { language, locale, words } from '/bells/words.js';

const { origin } = globalThis.location ?? {};
const CLOSE = 'M6 6l12 12M18 6L6 18';
const CHECK = 'M5 12.5l4.5 4.5L19 7.5';

const icon = (path) => html`<svg class="icon s" viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;

const { atOnce: doing, note } = careful();

function dayName(day) {
  const name = dayInFull(day, today(), locale);
  return { 0: words.today(name), [-1]: words.yesterday }[day - today()] ?? name;
}

const timeOf = (at) => clock(civil(Date.parse(at), zone()));

function attachment(one, { id, content: { sealed } }) {
  if (one.key) return beside()?.sealedAttachment(one) ?? '';
  const kind = attachmentKind(one);
  // The hub is not told what stands in a private message, which comes from somebody with the key.
  if (!kind || sealed || isHere(one, origin)) return attached(one);
  return beside()?.fetchedAttachment(one, id) ?? (kind === 'image' ? html`<p class="photo"></p>` : '');
}

function outcome(item, actions) {
  const { state, acted } = item;
  if (state === 'withdrawn') return words.withdrawn;
  if (!acted) return '';
  const { title } = actions.find(({ id }) => id === acted.action) ?? {};
  const { time, day } = answeredAt(item, zone());
  return words.answered(acted.by, title ?? acted.action, time, day === null ? '' : dateLong(day, locale));
}

/**
 * The rows of a keyed list as {key, now}, `now` being a signal of the row's newest value: a row that changes keeps its
 * element, and a frame in it its document.
 */
function steady(list, keyOf) {
  const known = new Map();
  return computed(() => {
    const all = list();
    const keys = new Set(all.map(keyOf));
    for (const key of known.keys()) if (!keys.has(key)) known.delete(key);
    return all.map((value) => {
      const key = keyOf(value);
      if (known.has(key)) known.get(key).now.set(value);
      else known.set(key, { key, now: signal(value) });
      return known.get(key);
    });
  });
}

function texts({ content: { subtitle, body } }, hasView) {
  const hidden = hasView ? ' visually-hidden' : '';
  return html`${subtitle ? html`<p class=${`bell-subtitle${hidden}`}>${subtitle}</p>` : ''}
    ${body ? html`<p class=${`bell-body${hidden}`}>${body}</p>` : ''}`;
}

/** The actions as they will stand there, until they can be answered. */
function awaited(actions = []) {
  const [texts, others] = [true, false].map((isText) => actions.filter((one) => Boolean(one.text_input) === isText));
  return html`${others.length ? html`<div class="actions">${others.map(({ title }) =>
    html`<button class="button tight" type="button" disabled>${title}</button>`)}</div>` : ''}${texts.map(({ title }) =>
    html`<div class="reply"><input type="text" aria-label=${title} placeholder=${title} disabled><span
      class="round-button" aria-hidden="true"></span></div>`)}`;
}

/** The id of a notification's title, which tells its links and buttons from those of others. */
const titled = (id) => `title-${id}`;

function bell({ key: id, now: item }) {
  const { at } = item.peek();
  const found = computed(() => shown(item().content));
  const content = computed(() => found().content);
  const isReady = computed(() => rules() !== undefined && beside() !== null);
  // Until the rules are there: what the hub has checked, so that nothing moves when they come.
  const early = computed(() => (isReady() || item().content.sealed ? null : inLanguage(item().content, language)));
  const view = computed(() => item().view ?? null);
  const hasView = signal(false);
  const isNew = computed(() => item().state === 'new');
  const ended = () => outcome(item(), early()?.actions ?? found().actions);
  const opened = () => { if (isNew()) markSeen([id]).catch(() => {}); };
  // The view shows the files that it was handed, so the list leaves them out.
  const attachments = () => (content().sealed ? [] : attachmentsOf(early() ?? content()))
    .filter((one) => !isOurs(one) || one.key || !hasView()).map((one) => attachment(one, item.peek()));
  return html`<li class="bell" id=${id} tabindex="-1" data-unread=${isNew} data-over=${() => !isOpen(item())}
    data-level=${() => levelOf(item().content)}>
    <time datetime=${at}>${() => timeOf(at)}</time>
    <div class="bell-main"><div>
      <p class="bell-title">${() => (isNew() ? html`<span class="visually-hidden">${words.missed} </span>` : '')}<span
        id=${titled(id)}>${() => content().title ?? words.untitled}</span></p>
      ${() => texts(found(), hasView())}
      ${() => (content().sealed ? html`<p class="bell-said">${privateWords.noKey}</p>` : '')}
      ${() => (ended() ? html`<p class="bell-said">${ended()}</p>` : '')}</div>
      ${() => (view() && isReady() ? beside().ownView(view(), item, content, hasView) : '')}
      ${attachments}
      ${() => (!isOpen(item()) ? '' : early() ? awaited(early().actions)
    : isReady() ? beside().answers(item(), found(), doing) : '')}
      <div class="bell-foot">${() => (content().url
    ? html`<a class="button tight" href=${content().url} aria-describedby=${titled(id)} @click=${opened}>${
      words.open}</a>` : html`<span></span>`)}
        <a class="why" href=${`/bells/${id}`} aria-describedby=${titled(id)}>${words.why}</a></div>
    </div></li>`;
}

const roomOf = (id) => rooms.find((room) => room.id === id);

function threadName({ topic, room, thread }) {
  const found = topicOf(topic) ?? topicOf(thread);
  return found?.names?.[language] ?? found?.name ?? roomOf(room)?.name
    ?? (thread.startsWith('one ') ? '' : thread);
}

function card(row) {
  const name = computed(() => threadName(row()));
  const missed = () => row().items.filter(({ state }) => state === 'new');
  const isNew = computed(() => missed().length > 0);
  const away = () => doing(() => markSeen(missed().map(({ id }) => id)));
  return html`<section class="card thread">
    ${() => (name() || isNew() ? html`<div class="thread-head">${icon((roomOf(row().room) ?? roomOf('bells')).icon)}
      <h3>${name() || words.one}</h3>
      ${isNew() ? html`<button class="round-button" type="button" @click=${away} aria-label=${words.putAway(name())}
        aria-describedby=${() => (name() ? null : titled(row().items[0].id))}>${icon(CLOSE)}</button>` : ''}</div>`
    : '')}
    <ul>${each(steady(() => row().items, ({ id }) => id), ({ key }) => key, bell)}</ul></section>`;
}

const view = ({ now: row }) => (row.peek().day === undefined ? card(row)
  : html`<h2 class="day">${() => dayName(row().day)}</h2>`);

function lead() {
  const quiet = settings.value()?.quiet;
  return [words.count(unread()), quiet ? words.quietFrom(quiet) : ''].filter(Boolean).join(' ');
}

/** A note on the list's age while the hub cannot be reached, or on the reason why it does not answer. */
function trouble() {
  if (!failure()) return '';
  const why = signal('');
  explain(failure()).then(why.set);
  const at = bells.confirmed();
  const asOf = computed(() => (at ? words.asOf(said(at, now(), zone())) : ''));
  return html`<p class="note" role="status"><strong>${why}</strong> ${asOf}</p>`;
}

/** Brings the notification that the address names into view. */
let isFound = false;
export function find() {
  if (isFound || !location.hash) return;
  const one = document.getElementById(location.hash.slice(1));
  if (!one) return;
  isFound = true;
  one.scrollIntoView({ block: 'center' });
  one.focus({ preventScroll: true });
}
globalThis.addEventListener?.('hashchange', () => { isFound = false; find(); });

const FEW = 50; // notifications: of more, all are marked that the hub has

/** What has come without this page knowing of it stays new. */
function markAll() {
  const shown = items.peek().filter(({ state }) => state === 'new').map(({ id }) => id);
  return markSeen(shown.length === unread.peek() && shown.length <= FEW ? shown : undefined);
}

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
      ${() => (unread() ? html`<button class="button" type="button" @click=${() => doing(markAll)}>${
    icon(CHECK)} ${words.all}</button>` : '')}</header>
    ${() => (may('bells.send') ? html`<p><a class="tall" href="/bells/compose">${words.compose}</a></p>` : '')}
    ${trouble}
    ${note}
    ${() => (isEmpty() ? html`<p class="empty">${() =>
    words.empty(Boolean(devices.value()?.length))}</p>` : '')}
    ${each(steady(rows, ({ key }) => key), ({ key }) => key, view)}
    ${() => (hasOlder() ? html`<p class="row"><button class="button" type="button" @click=${() =>
    doing(fetchOlder)}>${words.older}</button></p>` : '')}
  </div>`;
}
