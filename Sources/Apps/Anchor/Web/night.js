// The alarm, at night: one colour, red, and one button. And the whole room in red, for eyes that are used to the dark.

import { computed, effect, ending, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { remember, remembered } from '/keep.js';
import { zone } from '/place.js';
import { degrees, shown } from '/anchor/geometry.js';
import { drawing, icons } from '/anchor/icons.js';
import { hubSecond, isAlarm, reading, second, settings, silence, status, timeOf, track } from '/anchor/model.js';
import { plot } from '/anchor/plot.js';
import { isMuted } from '/anchor/sound.js';
import { words } from '/anchor/words.js';

const KEPT = 'eightbells-anchor-night';
const STORY = 3;
const TWICE = 30; // seconds between two that tell of the same thing

/** True while the room is red. */
export const isNight = signal(false);

export function turnNight() {
  isNight.set(!isNight.peek());
  remember(KEPT, isNight.peek() ? 1 : null);
}

export function followNight() {
  isNight.set(remembered(KEPT) === 1);
  effect(() => document.documentElement.toggleAttribute('data-night', isNight() || isAlarm()));
}

const countdown = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
const digits = (at) => new Intl.DateTimeFormat('de', { timeStyle: 'medium', timeZone: zone() }).format(at * 1000);

function facts() {
  const it = reading();
  const room = Math.round(it.room ?? 0);
  const age = Math.max(0, second() - Math.floor(it.at ?? second()));
  return [
    it.state === 'lost' ? html`<strong>${words.lastSeen}</strong>`
      : html`<strong>${room < 0 ? words.outside(-room) : words.room(room)}</strong>`,
    it.bearing === null ? '' : html`<span>${words.anchorBears(degrees(it.bearing))}</span>`,
    it.at === null ? '' : html`<span>${words.fixAge(age)}${
      it.accuracy === null ? '' : `, ±${Math.round(it.accuracy)} m`}</span>`,
  ];
}

/** Events, oldest first, each once: the hub and a page that watch the same boat tell of the same thing. */
export function once(events) {
  const last = {};
  return events.map(({ at, ...rest }) => ({ ...rest, at: typeof at === 'number' ? at : Date.parse(at) / 1000 }))
    .filter(({ at, kind }) => {
      const isNew = !(at - last[kind] < TWICE);
      last[kind] = at;
      return isNew;
    });
}

const told = ({ at, kind, distance_m: far }) => html`<li><time>${timeOf(at)}</time><span>${
  words.happened(kind, far === undefined ? null : Math.round(far))}</span></li>`;

const story = () => once(track().events ?? []).slice(-STORY).map(told);

/** The events since the watch was armed, oldest first; none while it is not. */
export function sinceArmed(events) {
  const all = once(events);
  return all.slice(all.map(({ kind }) => kind).lastIndexOf('armed') + 1);
}

/** What happened in this watch, for who looks in the morning: alarms that are over leave no other mark on the page. */
export function storyCard() {
  const all = computed(() => (status()?.armed ? sinceArmed(track().events ?? []).slice(-STORY * 4) : []));
  return html`${() => (all().length ? html`<section class="card story" aria-labelledby="story"><h2 id="story">${
    words.whatHappened}</h2><ol>${all().map(told)}</ol></section>` : '')}`;
}

/** Who rings, and who rings next and when; as the hub has told it, and this page by itself. */
function ringing() {
  const row = (name, isNow, said) => html`<li data-now=${isNow}>${drawing(icons.phone)}<span>${name}</span><strong>${
    said}</strong></li>`;
  const left = (time) => Math.max(0, Math.round(Date.parse(time) / 1000) - hubSecond());
  const all = (status()?.watchers ?? []).filter(({ rang, rings_at: next }) => rang || next);
  const said = ({ rang, reached, rings_at: next }) => {
    if (!rang) return words.ringsIn(countdown(left(next)));
    return reached ? words.rings(next && left(next)) : words.notReached;
  };
  return [row(words.thisPage, !isMuted(), isMuted() ? words.mute : words.rings(null)), ...all.map((one) => row(
    [one.name, one.person].filter(Boolean).join(', '), one.rang && one.reached, said(one)))];
}

/**
 * Takes the keyboard from all that `it` covers, and gives it back at the end. The focus goes to `it` itself and not to
 * its button, which whoever is typing would press by accident.
 */
function cover(it) {
  for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close(); // it would stand above the alarm
  const before = document.activeElement;
  const covered = [];
  for (let one = it; one !== document.body; one = one.parentElement) {
    covered.push(...[...one.parentElement.children].filter((other) => other !== one && !other.inert));
  }
  for (const one of covered) one.inert = true;
  it.focus({ preventScroll: true });
  return () => {
    for (const one of covered) one.inert = false;
    before.focus({ preventScroll: true });
  };
}

/** What covers the page while the alarm rings; it is there only then. The time is not in what is read out at once. */
export function nightAlarm() {
  const { doing, note, isBusy } = careful();
  const far = computed(() => (typeof reading()?.distance === 'number' ? shown(reading().distance) : ['–', '']));
  const isUnseen = computed(() => reading()?.state === 'lost');
  const why = () => (isUnseen() ? words.unseen : words.outsideZone);
  // The metres are those of the beginning: if they changed each second, a screen reader would say nothing else.
  const label = () => `${words.states.alarm}: ${why()}, ${far.peek().join(' ')}`;
  const view = () => html`<div class="night alarm" role="region" tabindex="-1" aria-label=${label}>
    <div class="alarm-head"><div aria-live="assertive"><h1>${drawing(icons.bell)}${words.states.alarm} <span>${
  why}</span></h1></div><p>${() => digits(hubSecond())}</p></div>
    <section class="alarm-reading" aria-label=${words.nowWord}><p class="alarm-far">${() => far()[0]}<span
      class="unit">${() => far()[1]}</span></p><p class="alarm-facts">${facts}</p></section>
    <div class="alarm-plot">${plot({ settings, isSmall: true })}</div>
    <section class="alarm-story"><h2>${words.whatHappened}</h2><ol>${story}</ol></section>
    <section class="alarm-next"><h2>${words.whoRings}</h2><ul>${ringing}</ul></section>
    <div class="alarm-act">${note}<button class="take" type="button" aria-busy=${() => isBusy() || null}
      @click=${() => doing(silence)}>${words.onIt}</button><p>${words.silences}</p></div></div>`;
  return () => {
    if (!isAlarm()) return '';
    const it = view().firstElementChild;
    let uncover;
    queueMicrotask(() => { if (it.isConnected) uncover = cover(it); });
    ending(() => uncover?.());
    return it;
  };
}
