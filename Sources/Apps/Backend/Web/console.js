// The page of one app: what passes in its channels, and around it channels, keys, use and options. On a phone one part
// at a time.

import { computed, each, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { line, lineSince } from '/live.js';
import { channelList } from '/apps/channels.js';
import { drawing, icons } from '/apps/icons.js';
import { keysCard } from '/apps/keys.js';
import { empty, filtered, released, taken, timeOf } from '/apps/logbook.js';
import { app, channels, chosen, isGone, isLost, send } from '/apps/model.js';
import { objectsPart } from '/apps/objects.js';
import { optionsCard } from '/apps/options.js';
import { usageCard } from '/apps/usage.js';
import { count, words } from '/apps/words.js';

const PARTS = ['live', 'objects', 'keys', 'usage', 'options'];

const filter = signal('');
const isHeld = signal(false);
const book = signal(empty);
const part = signal('live');
const isKnown = computed(() => app() !== undefined);

/** Takes what has passed: {entries, dropped}. */
export const take = (data) => book.set(taken(book.peek(), data, isHeld.peek()));

function hold() {
  isHeld.set(!isHeld.peek());
  if (!isHeld.peek()) book.set(released(book.peek()));
}

const told = (entry) => {
  if (entry.kind === 'refused') return entry.reason ?? '';
  return entry.data ?? entry.reason ?? (entry.socket_id ? words.socket(entry.socket_id) : '');
};

const entryRow = (entry) => html`<li data-kind=${entry.kind === 'refused' ? 'refused' : null}>
  <time>${timeOf(entry.at)}</time><span class="ev"><b>${entry.event && entry.kind !== 'refused' ? entry.event
    : words.entry[entry.kind] ?? entry.kind}</b> <i>${entry.channel ?? ''}</i></span><code>${told(entry)}</code></li>`;

const number = (entry) => {
  entry.number ??= (number.last = (number.last ?? 0) + 1);
  return entry.number;
};

function head() {
  const limit = (most) => (most ? html`<small>${words.of(count(most))}</small>` : '');
  return html`<header class="console-head">
    <div><a class="back" href="/apps">${words.back}</a><h1>${() => app().name}</h1>
      ${() => (app().enabled ? '' : html`<span class="tag" data-kind="warn">${words.off}</span>`)}
      ${() => (app().over_quota ? html`<span class="tag" data-kind="bad">${words.full}</span>` : '')}
      ${() => (app().kept.full ? html`<span class="tag" data-kind="bad">${words.keepsNoMore}</span>` : '')}</div>
    <dl class="counts">
      <div><dt>${words.connections}</dt><dd>${() => count(app().connections)} ${() =>
  limit(app().options.connections)}</dd></div>
      <div><dt>${words.messages}</dt><dd>${() => count(app().messages_today)} ${() =>
  limit(app().options.messages_a_day)}</dd></div>
      <div><dt>${words.channelsInUse}</dt><dd>${() => count(channels().count)}</dd></div></dl></header>`;
}

const views = () => html`<div class="views" role="group" aria-label=${words.parts}>${PARTS.map((name) =>
  html`<button type="button" aria-pressed=${() => String(part() === name)} @click=${() => part.set(name)}>${
    words[name]}</button>`)}</div>`;

function sending() {
  const { doing, note, isBusy } = careful();
  const problem = signal('');
  const submit = (event) => {
    event.preventDefault();
    const { name, channel, data } = event.target.elements;
    let value;
    try {
      value = JSON.parse(data.value);
    } catch {
      problem.set(words.noJSON);
      return;
    }
    problem.set('');
    doing(() => send({ name: name.value.trim(), channel: channel.value.trim(), data: value }));
  };
  return html`<form class="send-event" @submit=${submit}>
    <label><span>${words.event}</span><input name="name" aria-required="true" maxlength="200"
      autocomplete="off"></label>
    <label><span>${words.channel}</span><input name="channel" aria-required="true" maxlength="164"
      autocomplete="off" .value=${chosen} @input=${({ target }) => chosen.set(target.value)}></label>
    <label class="wide"><span>${words.data}</span><input name="data" required autocomplete="off" value="{}"
      aria-describedby="send-problem"></label>
    <button class="button" aria-busy=${() => isBusy() || null}>${drawing(icons.send)}${words.send}</button>
    <p class="form-error" id="send-problem" aria-live="assertive">${problem}</p></form>${note}`;
}

function state() {
  if (isHeld()) return html`<span class="log-state" data-kind="held">${words.held}${() => (book().waiting.length
    ? `, ${words.waiting(book().waiting.length)}` : '')}</span>`;
  if (line() === 'live') return html`<span class="log-state"><i></i>${words.streaming}</span>`;
  return html`<span class="log-state" data-kind="lost">${words.lost(timeOf(lineSince() / 1000).slice(0, 5))}</span>`;
}

function log() {
  const entries = computed(() => filtered(book().shown, filter()));
  return html`<section class="log" aria-labelledby="events-title">
    <header class="log-head"><h2 id="events-title">${words.events} ${state}</h2>
      <div class="row"><label class="log-filter">${drawing(icons.find)}<span class="visually-hidden">${words.filter}
        </span><input type="search" placeholder=${words.filter} @input=${({ target }) => filter.set(target.value)}>
        </label><button class="button" type="button" @click=${hold}>${() =>
  drawing(isHeld() ? icons.play : icons.hold)}${() => (isHeld() ? words.goOn : words.hold)}</button></div></header>
    ${() => (book().dropped ? html`<p class="small quiet" role="status">${words.dropped(count(book().dropped))}</p>`
    : '')}
    ${() => (book().shown.length ? '' : html`<p class="empty">${words.quiet}</p>`)}
    <ol class="logbook" tabindex="0" aria-label=${words.logbook} hidden=${() => !book().shown.length}>${
  each(entries, number, entryRow)}</ol>
    ${sending()}</section>`;
}

const missing = () => html`<div class="page"><section class="card for-owners"><h1>${words.missing}</h1>
  <p class="row"><a class="button primary" href="/apps">${words.toAll}</a></p></section></div>`;

const away = () => html`<div class="page"><section><a class="back" href="/apps">${words.back}</a>
  <h1>${words.title}</h1>${() => (isLost() ? html`<p class="note" role="status">${words.away}</p>`
    : html`<p class="quiet">${words.loading}</p>`)}</section></div>`;

export const consoleOf = () => html`${() => {
  if (isGone()) return missing();
  if (!isKnown()) return away();
  return html`<div class="console" data-part=${part}>${head()}
    ${() => (isLost() ? html`<p class="note" role="status">${words.unreachable}</p>` : '')}
    ${views()}<div class="side">${channelList()}${keysCard()}${usageCard()}</div>${log()}${
    objectsPart()}${optionsCard()}</div>`;
}}`;
