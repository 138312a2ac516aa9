// The page of the talking clock: the face, what it says next, and beside it the voices, the devices, the settings, and
// how punctual it was.

import { computed, effect, element, html, signal } from '/ui.js';
import { beginPage } from '/navigation.js';
import { holding } from '/offline.js';
import { startLive, tellRinging, tellUsable, usable } from '/live.js';
import { tellState } from '/room-states.js';
import { isInside, isSessionKnown } from '/session.js';
import { careful } from '/doing.js';
import { face, minute, next, second, timeOf } from '/clock/face.js';
import { drawing, icons } from '/clock/icons.js';
import {
  fetchRules, followClock, isLost, module, mute, mutedUntil, rules, settings, timeZone, voices,
} from '/clock/model.js';
import { inWords } from '/clock/parts.js';
import { screenOn } from '/clock/screen.js';
import { minuteOf } from '/clock/speaking-rules.js';
import { speakNow, startSpeaker, tellSpeaker } from '/clock/speaker.js';
import { nextTimeOfDay } from '/clock/timeline.js';
import { words } from '/clock/words.js';
import { offsetAt } from '/zones.js';

const MORNING = 7 * 60;

/** The end of the quiet hours, or the next morning. */
const muteEnd = computed(() => {
  const { quiet } = settings();
  minute(); // once a minute is enough
  return nextTimeOfDay(second.peek(), quiet ? minuteOf(quiet.to) : MORNING, (at) => offsetAt(at, timeZone()));
});

const left = (seconds) => words.left(Math.floor(seconds / 60), seconds % 60);
const phrase = computed(() => (next() ? inWords(next().parts, settings().language) : ''));

function coming() {
  if (module() === null) return html`<p class="note">${words.noRules}</p>`;
  if (!rules()) return '';
  return html`<span class="eyebrow">${() => {
    if (mutedUntil()) return words.muted(timeOf(mutedUntil()));
    return next() ? words.next(timeOf(next().at), left(next().at - second())) : words.none;
  }}</span> <q lang=${() => settings().language}>${phrase}</q>`;
}

/** The dial alone, over the whole screen; where the browser cannot, over the whole page. */
function fullScreen(host) {
  const isFull = signal(false);
  holding(() => isFull.peek()); // a page that loads itself anew fills no screen, and lets it go out
  const tell = (on) => {
    isFull.set(on);
    host().toggleAttribute('data-full', on);
    screenOn(on);
  };
  document.addEventListener('fullscreenchange', () => tell(document.fullscreenElement === host()));
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape' && isFull.peek() && !document.fullscreenElement) tell(false);
  });
  const turn = () => {
    if (isFull.peek()) return document.fullscreenElement ? document.exitFullscreen() : tell(false);
    return host().requestFullscreen ? host().requestFullscreen().catch(() => tell(true)) : tell(true);
  };
  return html`<button class="round-button clock-full" type="button" @click=${turn}
    aria-label=${() => (isFull() ? words.fullEnd : words.full)}>${drawing(icons.full)}</button>`;
}

function keys() {
  const saying = careful(); // one mutes it while it speaks
  const muting = careful();
  const say = () => saying.doing(() => speakNow(rules.peek(), settings.peek()));
  const turn = () => muting.doing(() => mute(mutedUntil.peek() ? null : muteEnd.peek()));
  return html`<div class="clock-keys">
      <button class="button primary tall" type="button" disabled=${() => !rules()} aria-busy=${saying.isBusy}
        @click=${say}>${drawing(icons.speaker)}${words.speakNow}</button>
      <button class="button tall" type="button" aria-busy=${muting.isBusy} @click=${turn}>${() =>
  drawing(mutedUntil() ? icons.speaker : icons.muted)}${() =>
  (mutedUntil() ? words.unmute : words.mute(timeOf(muteEnd())))}</button>
    </div>${saying.note}${muting.note}`;
}

const outside = () => html`<div class="clock-outside"><p>${words.outside}</p>
  <a class="button primary" href="/join">${words.signIn}</a></div>`;

function wall() {
  let section;
  const made = html`<section class="clock-wall" aria-label=${words.title}>
    ${face()}<p class="clock-next">${coming}</p>
    ${() => {
    if (!isSessionKnown() && !isInside()) return '';
    return isInside() ? keys() : outside();
  }}${fullScreen(() => section)}</section>`;
  section = made.firstElementChild;
  return made;
}

/** The cards beside the face, loaded when the clock can be read and used. */
function side() {
  const cards = signal(null);
  effect(() => {
    if (!isInside() || cards.peek()) return;
    usable.then(() => import('/clock/cards.js')).then((them) => cards.set(them), () => {});
  });
  const isAlone = () => isLost() && isInside(); // whoever is signed out meanwhile asks no more
  return html`<div class="clock-side">${() => (isAlone() ? html`<p class="note" role="status">${words.lost}</p>` : '')}
    ${() => (isInside() && cards() ? cards().all() : '')}</div>`;
}

/** The navigation's line. */
function tellOthers() {
  const line = computed(() => {
    if (!isInside() || !rules()) return '';
    if (mutedUntil()) return words.muted(timeOf(mutedUntil()));
    return next() ? words.speaksNext(timeOf(next().at)) : '';
  });
  effect(() => tellState('clock', line() ? { lamp: mutedUntil() ? 'over' : 'good', text: line() } : undefined));
}

element('clock-page', () => {
  beginPage(() => words.title);
  fetchRules();
  followClock();
  startLive();
  tellOthers();
  effect(() => { if (module() !== undefined && isSessionKnown()) tellUsable(); });
  tellRinging();
  const version = computed(() => voices().find(({ id }) => id === settings()?.voice)?.version);
  const spoken = computed(() => JSON.stringify([isInside(), settings(), mutedUntil(), version()]));
  effect(() => {
    spoken();
    tellSpeaker({ rules: isInside() ? rules() : null, settings: settings.peek(), mutedUntil: mutedUntil.peek(),
      version: version.peek() });
  });
  startSpeaker();
  return html`<h1 class="visually-hidden">${words.title}</h1>${wall()}${side()}`;
});
