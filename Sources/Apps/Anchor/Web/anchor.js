// The page of the anchor watch: the board, the plot, what one does, and beside them who watches.

import { computed, effect, element, html, signal } from '/ui.js';
import { beginPage } from '/navigation.js';
import { startLive, tellRinging, tellUsable, usable } from '/live.js';
import { tellState } from '/room-states.js';
import { isInside, isSessionKnown, session } from '/session.js';
import { board } from '/anchor/board.js';
import { careful } from '/doing.js';
import { editing } from '/anchor/editing.js';
import { reachOf, shown as far } from '/anchor/geometry.js';
import { drawing, icons } from '/anchor/icons.js';
import {
  drop, extend, followAnchor, hubSecond, isLost, reading, second, settings, status, tick, weigh,
} from '/anchor/model.js';
import { followNight, isNight, nightAlarm, turnNight } from '/anchor/night.js';
import { plot } from '/anchor/plot.js';
import { words } from '/anchor/words.js';

const AGAIN = 5_000; // milliseconds until what could not be loaded is asked for once more
const LONG = 5_400; // seconds from which on an age is too long for the navigation
const FRESH = 60; // seconds: a fix of the hub's that is older does not say where the anchor fell

// What comes when the board can be read and used: this page's own watch, what one can take hold of, and the cards.
const behind = signal(null);

async function bringBehind() {
  const them = await import('/anchor/behind.js').catch(() => null);
  if (!them) return setTimeout(bringBehind, AGAIN); // without it this page neither watches nor rings
  them.startWatching();
  return behind.set(them);
}

class NoPosition extends Error {}

/** Drops the anchor where the best source is; with none, where this device is, which then watches. */
async function dropHere() {
  const at = Date.parse(status.peek()?.fix?.at ?? '') / 1000;
  if (at > hubSecond() - FRESH) return drop();
  const { switchHere, whereNow } = behind.peek() ?? await import('/anchor/behind.js');
  const [lat, lon] = await whereNow().catch(({ code }) => {
    throw new NoPosition(code === 1 ? words.troubles.denied : words.noPositionToDrop);
  });
  await drop({ lat, lon });
  return switchHere(true);
}

function dropButton() {
  const { doing, note, isBusy } = careful((error) => (error instanceof NoPosition ? error.message : null));
  return () => (status()?.state === 'idle' ? html`<button class="button drop" type="button" aria-busy=${() => isBusy()
    || null} @click=${() => doing(dropHere)}>${words.drop}</button>${note}` : '');
}

function weighing() {
  const { doing, note, isBusy } = careful();
  const end = () => doing(async () => {
    await weigh();
    dialog.close();
    document.getElementById('state').focus(); // the button that had opened it is gone
  });
  const down = () => hubSecond() - Math.floor(Date.parse(status()?.dropped_at ?? '') / 1000);
  const dialog = html`<dialog class="ask" aria-labelledby="weigh-title" aria-describedby="weigh-text">
    <h2 id="weigh-title">${words.weighTitle}</h2>
    <p id="weigh-text">${() => words.weighText(Math.max(0, down() || 0))}</p>${note}
    <button class="button primary wet" type="button" aria-busy=${() => isBusy() || null} @click=${end}>${
  drawing(icons.anchor)}${words.weighYes}</button><button class="button wet" type="button" autofocus
    aria-describedby="weigh-text" @click=${() => dialog.close()}>${words.notYet}</button></dialog>`.firstElementChild;
  return dialog;
}

function helm(dialog) {
  const { doing, note, isBusy } = careful();
  const state = computed(() => status()?.state);
  const left = () => {
    if (state() === 'dropped') {
      return html`<a class="button primary wet" href="/anchor/arm">${drawing(icons.eye)}${words.beforeNight}</a>`;
    }
    if (state() === 'alarm' || state() === 'warning') {
      return html`<button class="button wet" type="button" aria-busy=${() => isBusy() || null}
        @click=${() => doing(extend)}>${drawing(icons.plus)}${words.extend}</button>`;
    }
    return html`<a class="button wet" href="/anchor/arm">${drawing(icons.pencil)}${words.zone}</a>`;
  };
  return html`${() => (!state() || state() === 'idle' ? '' : html`<div class="helm">${left()}<button
    class="button wet weigh" type="button" @click=${() => dialog.showModal()}>${drawing(icons.anchor)}${words.weigh}
    </button></div>${note}`)}`;
}

function sea() {
  const { inTurn, note } = careful();
  const edit = editing(inTurn);
  const chart = signal(null);
  const hasAnchor = computed(() => Boolean(settings()));
  const turnChart = () => inTurn(async () => {
    if (chart.peek()) return chart.set(null);
    return chart.set(await import('/anchor/chart.js'));
  });
  const tools = html`<button class="round-button" type="button" aria-pressed=${() => String(isNight())}
    aria-label=${words.night} @click=${turnNight}>${drawing(icons.moon)}</button><button class="round-button"
    type="button" aria-pressed=${() => String(Boolean(chart()))} aria-label=${words.chart} @click=${turnChart}>${
  drawing(icons.chart)}</button>`;
  const what = (old) => {
    const { alarm, warn } = reading();
    const { shape } = settings().zone;
    const isOther = shape !== 'polygon' && reachOf({ ...settings(), ...old }) !== alarm;
    if (isOther) return words.zoneChanged(Math.round(alarm));
    if (old.warning === undefined || warn === null) return words.changed;
    return shape === 'circle' ? words.warningChanged(Math.round(alarm - warn)) : words.warningMoved(Math.round(warn));
  };
  const changed = () => (edit.before() && settings() ? html`<div class="changed" role="status">${what(edit.before())}
    <button class="button plain" type="button" @click=${() => edit.undo()}>${words.undo}</button></div>` : '');
  return html`<div class="watch-plot" data-empty=${() => !settings()}>${plot({
    settings: edit.shown, tools,
    handles: (...of) => effect(() => behind()?.handlesFor({ ...edit, settings: edit.shown })(...of)),
    chart: (of, unit) => (chart() && hasAnchor() ? chart().chartView(of, unit) : ''),
    foot: () => [chart() && hasAnchor() ? chart().credit() : '', html`${changed}`],
  })}${() => (status() && !settings() ? html`<p class="plot-empty">${words.plotEmpty}</p>` : '')}${note}</div>`;
}

const outside = () => html`<div class="page"><section class="card for-owners"><h1>${words.title}</h1>
  <p>${words.outsider}</p><p class="row"><a class="button primary" href="/join">${words.signIn}</a></p>
  </section></div>`;

const side = () => html`<div class="watch-more">${() => (isInside() && behind() ? behind().cards() : '')}</div>`;

const LAMPS = { holding: 'good', warning: 'warn', alarm: 'bad', lost: 'bad', dropped: 'warn', waiting: 'warn' };

/** The navigation's line. */
function tellOthers() {
  const line = computed(() => {
    const it = reading();
    if (!isInside() || !it) return '';
    const age = it.at === null ? LONG : Math.max(0, second() - Math.floor(it.at));
    if (it.state === 'waiting' && age < LONG) return words.lastPlace(age);
    const [value, unit] = it.state === 'holding' && it.distance !== null ? far(it.distance) : [];
    return words.line(it.state, value === undefined ? '' : `${value} ${unit}`);
  });
  const lamp = computed(() => (isLost() ? 'unknown' : LAMPS[reading()?.state] ?? 'over'));
  effect(() => tellState('anchor', line() ? { lamp: lamp(), text: line() } : undefined));
}

element('anchor-page', () => {
  beginPage(() => words.title);
  tick();
  followNight();
  followAnchor();
  startLive();
  usable.then(bringBehind);
  tellOthers();
  effect(() => { if (isSessionKnown() && (status() || !session())) tellUsable(); });
  tellRinging();
  const dialog = weighing();
  const inside = computed(() => isInside());
  return html`${() => (inside() ? html`<h1 class="visually-hidden">${words.title}</h1><div class="watch">
    <div class="watch-top">${() => behind()?.gapNote() ?? ''}${board(dropButton())}</div>${sea()}
    <div class="watch-helm">${helm(dialog)}</div>${side()}</div>${dialog}${nightAlarm()}`
    : !isSessionKnown() ? html`<h1 class="visually-hidden">${words.title}</h1>` : outside())}`;
});
