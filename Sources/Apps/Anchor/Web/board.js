// The board: how far, where the anchor bears, and the room that is left, painted in the colour of what is so.

import { computed, html } from '/ui.js';
import { degrees, shown } from '/anchor/geometry.js';
import { drawing, icons } from '/anchor/icons.js';
import { isLost, isOld, isUntold, reading, second, settings, whenOf } from '/anchor/model.js';
import { words } from '/anchor/words.js';

const SIGNS = {
  idle: icons.anchor, dropped: icons.anchor, waiting: icons.lost, holding: icons.check, warning: icons.warning,
  alarm: icons.bell, lost: icons.lost,
};
const PAINT = { warning: 'drifting', dropped: 'idle', waiting: 'lost' };
const [LEFT, RIGHT] = [8, 312]; // of the lead line
const BEYOND = 1.1; // its length, in ways to the edge

const waves = () => html`<svg class="waves" viewBox="0 0 480 60" preserveAspectRatio="none" aria-hidden="true">
  <path d="M0 26q30-22 60 0t60 0 60 0 60 0 60 0 60 0 60 0 60 0V60H0z" />
  <path d="M0 40q40-18 80 0t80 0 80 0 80 0 80 0 80 0V60H0z" /></svg>`;

/** The way to the edge: of a mere circle in metres from the anchor, of any other zone in metres that are left. */
function leadLine() {
  const x = (part) => Math.round(LEFT + (Math.min(part, BEYOND) / BEYOND) * (RIGHT - LEFT));
  const { zone, warning: share = 0.8, excluded = [] } = settings();
  const { alarm, warn: room } = reading();
  const at = () => x(reading().share ?? reading().distance / reading().alarm);
  const [warn, edge] = [x(share), x(1)];
  const isPlain = zone.shape === 'circle' && !excluded.length;
  const whole = share < 1 && room !== null ? `${Math.round(room / (1 - share))} m` : '';
  const [first, near, last] = isPlain ? ['0', Math.round(alarm - room), `${Math.round(alarm)} m`]
    : [whole, room === null ? '' : Math.round(room), '0'];
  // The two numbers stand beside each other, or one of them alone.
  const warning = edge - warn > 8 * last.length ? near : '';
  const knots = [0.25, 0.5, 0.75].map((one) => `M${x(one)} 12v8`).join('');
  return html`<svg class="leadline" viewBox="0 0 320 40" role="img" aria-label=${() =>
    words.roomPicture(Math.round(reading().distance), Math.round(reading().room ?? 0))}>
    <path class="line" d=${`M${LEFT} 16H${RIGHT}`} /><path class="run" d=${() => `M${LEFT} 16H${at()}`} />
    <path class="knot" d=${knots} /><path class="edge-warn" d=${`M${warn} 6v20`} />
    <path class="edge-alarm" d=${`M${edge} 4v24`} /><circle class="here" cx=${at} cy="16" r="6.5" />
    <text x=${String(LEFT)} y="38">${first}</text><text x=${String(warn)} y="38">${
  warning}</text><text x=${String(edge)} y="38">${last}</text></svg>`;
}

function figures() {
  const far = computed(() => shown(reading().distance));
  return html`<div class="reading">
      <p class="reading-far" data-long=${() => String(far()[0]).length > 2} data-unpainted=${() =>
    ['lost', 'waiting'].includes(reading().state) || isOld()}><span class="visually-hidden">${
  words.distance}: </span>${() => far()[0]}<span class="unit">${() => far()[1]}</span></p>
      ${() => (reading().bearing === null ? '' : html`<p class="reading-bearing"><svg class="needle" viewBox="0 0 48 48"
        aria-hidden="true"><circle cx="24" cy="24" r="21" /><path d="M24 8l8 26-8-6-8 6z" transform=${() =>
  `rotate(${Math.round(reading().bearing)} 24 24)`} /></svg><span><span class="visually-hidden">${words.bears} </span>${
  () => degrees(reading().bearing)}°</span><small>${words.toAnchor}</small></p>`)}</div>
    ${() => (reading().alarm ? leadLine() : '')}`;
}

function foot() {
  const it = reading();
  if (it.at === null) return html`<span>${words.noFix}</span>`;
  const age = Math.max(0, second() - Math.floor(it.at));
  const room = Math.round(it.room ?? 0);
  return html`<span><i class="dot"></i>${words.fixAge(age)}</span>
    ${it.accuracy === null ? '' : html`<span>±${Math.round(it.accuracy)} m</span>`}
    ${it.room === null || it.state === 'idle' ? '' : html`<span>${room >= 0 ? words.room(room)
    : words.outside(-room)}</span>`}`;
}

/** The board; `more` stands on it where nothing is to be measured: the button that drops the anchor. */
export function board(more = () => '') {
  const state = computed(() => reading()?.state);
  const hasReading = computed(() => !['idle', undefined].includes(state()) && reading().distance !== null
    && reading().distance !== undefined);
  const since = computed(() => (reading()?.since ? whenOf(reading().since) : ''));
  const aside = () => {
    if (state() === 'waiting' && reading().at !== null) {
      return words.lastPlace(Math.max(0, second() - Math.floor(reading().at)));
    }
    return since() ? words.since[state()]?.(since()) ?? words.sinceTime(since()) : '';
  };
  const word = () => (isOld() ? words.states.old : words.states[state()] ?? '');
  return html`<div class="watch-sign"><svg class="rope" viewBox="0 0 320 36" preserveAspectRatio="none"
      aria-hidden="true"><path d="M100 36L160 7l60 29" /></svg><span class="nail" aria-hidden="true"></span>
    <section class="board" data-state=${() => (isOld() ? 'lost' : PAINT[state()] ?? state() ?? 'idle')}
      aria-labelledby="state">
      <header class="board-head"><h2 class="board-word" id="state" tabindex="-1" aria-live="polite">${() => (state()
  ? drawing(isOld() ? icons.lost : SIGNS[state()]) : '')}<span>${word}</span></h2>
        <p>${aside}</p></header>
      ${() => (hasReading() ? figures() : '')}${more}
      <p class="board-foot">${() => (reading() ? foot() : '')}</p>
      ${() => (reading()?.onIt ? html`<p class="board-lost" role="status">${
    words.isOn(reading().onIt, state() === 'alarm')}</p>` : '')}
      ${() => (isLost() ? html`<p class="board-lost" role="status">${words.hubLost}</p>` : '')}
      ${() => (isUntold() ? html`<p class="board-lost" role="status">${words.untold}</p>` : '')}
      ${waves()}</section></div>`;
}
