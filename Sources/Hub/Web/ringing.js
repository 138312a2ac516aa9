// The current alarms: a board at the top edge of the page. A region and not a dialogue, which would take the focus, so
// that typing could answer it by accident. It moves the page down and covers nothing; screen readers hear one sentence
// once; it disappears when it is answered or ends by itself, never by a tap beside it or by Escape.

import { effect, html, styled } from '/ui.js';
import { drawing } from '/drawing.js';
import { words } from '/ringing-words.js';
import { spoken } from '/spoken.js';

const SHOWN = 2; // further ones are a link to all
const KEYS = 'Alt+Shift+N'; // Orca, a screen reader, has most other letters for itself

const RINGS = 'M4 9.5a10 10 0 0 1 2.6-5.5M20 9.5a10 10 0 0 0-2.6-5.5M12 5c-2.7 0-4 2.2-4.2 5.5-.1 2.5-.4 4-1.5 '
  + '5.2h11.4c-1.1-1.2-1.4-2.7-1.5-5.2C16 7.2 14.7 5 12 5zM10.2 19a1.9 1.9 0 0 0 3.6 0';
const CHECK = 'M5 12.5l4.5 4.5L19 7.5';
const CLOSE = 'M6 6l12 12M18 6L6 18';

const ORDER = ['alarm', 'answered', 'call'];

/** Alarms before calls, then the older; calls wait while there is an alarm: {all, shown, more}, few are shown. */
function ranked(all) {
  const isAlarm = ({ level }) => level === 'alarm';
  const waiting = all.some(isAlarm) ? all.filter(({ level }) => level !== 'call') : all;
  const rank = ({ level, kind }) => ORDER.indexOf(level) * 2 + (kind === 'lost' ? 1 : 0);
  const sorted = [...waiting].sort((one, other) => rank(one) - rank(other) || one.at - other.at);
  return { all: sorted, shown: sorted.slice(0, SHOWN), more: Math.max(0, sorted.length - SHOWN) };
}

function answer({ text, to, act, primary }, { about, word }, keys) {
  const whose = html`<span class="visually-hidden">: ${about ?? word}</span>`;
  if (to) return html`<a class="button" href=${to} aria-keyshortcuts=${keys}>${text}${whose}</a>`;
  return html`<button type="button" class=${primary ? 'button take' : 'button'} aria-keyshortcuts=${keys} @click=${
    act}>${text}${whose}</button>`;
}

const mark = ({ level }) => (level === 'call' ? html`<i class="lamp" data-state="warn"></i>`
  : drawing(level === 'answered' ? CHECK : RINGS));

/** The first in full, the second in one line with its own answer. */
function board(ring, isSlim) {
  const { id, level, kind, word, about, since, far, facts = [], next, answers = [], away } = ring;
  const some = isSlim ? answers.filter(({ primary }) => primary) : answers;
  return html`<article class="ring" data-level=${level} data-kind=${kind ?? null} data-slim=${isSlim}
    aria-labelledby=${`ring-${id}`}>
    <h2 class="ring-word" id=${`ring-${id}`}>${mark(ring)}<span>${isSlim && about ? `${about}: ` : ''}${word}${
  !isSlim && about ? html`<span class="visually-hidden">: ${about}</span>` : ''}</span></h2>
    ${since ? html`<p class="ring-since">${since}</p>` : ''}
    ${far && !isSlim ? html`<p class="ring-far"><span class="visually-hidden">${far.label}: </span>${far.value}<small>${
    far.unit}</small></p>` : ''}
    <p class="ring-facts">${about && !isSlim && level === 'alarm' ? html`<strong>${about}</strong>` : ''}${
  facts.map((fact) => html`<span>${fact}</span>`)}</p>
    <div class="ring-answers">${some.map((one, index) =>
  answer(one, ring, isSlim || index ? null : KEYS))}</div>
    ${next && !isSlim ? html`<p class="ring-next"><i aria-hidden="true"></i><span>${next} <kbd>Alt Shift N</kbd></span>
    </p>` : ''}
    ${away ? html`<button class="round-button off" type="button" aria-label=${away.text} @click=${away.act}>${
    drawing(CLOSE)}</button>` : ''}
  </article>`;
}

/** Draws `rings`, a signal, into the place at the top of the page. Further calls do nothing. */
export function drawRinging(host, rings) {
  if (host.drawn) return;
  host.drawn = true;
  styled('/ringing.css');
  const voices = { alarm: spoken('assertive'), call: spoken('polite') };
  host.append(voices.alarm.element, voices.call.element);
  const told = new Map(); // what was said of each, by its id: said again when its state changes, not with every metre
  let focused; // the element that gets the focus back after answering by keyboard
  const box = html`<section class="ringing" tabindex="-1" aria-label=${words.title}>${() => {
    const { all, shown, more } = ranked(rings());
    const { list } = all.slice(SHOWN).find((ring) => ring.list) ?? {};
    return [...shown.map((ring, index) => board(ring, index > 0)),
      more ? html`<p class="ring-more"><a href=${list}>${words.more(more)}</a></p>` : ''];
  }}</section>`.firstElementChild;
  effect(() => {
    const { all, shown } = ranked(rings());
    const isUp = box.isConnected;
    if (!shown.length) box.remove();
    else if (!isUp) host.append(box);
    box.dataset.only = shown.every(({ level }) => level !== 'alarm') ? shown[0]?.level ?? '' : '';
    for (const id of told.keys()) if (!rings().some((ring) => ring.id === id)) told.delete(id);
    for (const { id, level, said } of all) {
      if (said && told.get(id) !== said) (voices[level] ?? voices.call).say(said);
      told.set(id, said);
    }
    if (!isUp && shown[0]?.level === 'alarm') voices.alarm.say(words.above);
    if (!shown.length && focused?.isConnected) focused.focus({ preventScroll: true });
    if (!shown.length) focused = undefined;
  });
  addEventListener('keydown', (event) => {
    if (!event.altKey || !event.shiftKey || event.code !== 'KeyN' || !box.isConnected) return;
    event.preventDefault();
    focused = document.activeElement;
    // Moves the focus to the answer, without giving it; the anchor's own alarm covers this place.
    (document.querySelector('.alarm .take') ?? host.querySelector('.ring-answers :is(button, a)'))?.focus();
  });
}
