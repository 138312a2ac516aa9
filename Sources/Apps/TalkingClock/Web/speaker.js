// Speaks in this page: announcements are laid ahead on the clock of the audio output, which starts each at the exact
// second also while the page is hidden and its timers sleep. What is laid is looked at again and again, and laid anew
// when the clock runs away, was set, or something was chosen.

import { effect, signal } from '/ui.js';
import { holding } from '/offline.js';
import { rings } from '/ring.js';
import { chooseHere, here, lastSpoken, noteSpoken } from '/clock/here.js';
import { minuteAt, zoneOf } from '/clock/speaking-rules.js';
import { aheadOf, changes, middle, planned, readings } from '/clock/timeline.js';
import { inTurn, isUnreached, Voices } from '/clock/voices.js';
import { RATE } from '/clock/wav.js';

const LOOK = 5_000; // milliseconds between two looks
const LOCK = 'eightbells-clock-speaks';

/** 'off', 'blocked' (the browser wants a tap first), 'elsewhere' (another tab speaks), 'alarm' or 'ready'. */
export const state = signal('off');
/** The parts that no voice had for what was said last. */
export const missing = signal([]);

let context;
let gain;
let voices;
let laid = [];
let clocks = [];
let last = 0;
let isMine = false;
let isFree = false; // the browser has let this page be heard before anybody touched it
let giveBack = null;
let told = {}; // what the page has: {rules, settings, mutedUntil, version}

/** The output: the browser starts it after a touch of the page, or at once where it was allowed to. */
function output() {
  if (context) return context;
  context = new AudioContext({ sampleRate: RATE });
  gain = new GainNode(context, { gain: here.peek().volume / 100 });
  gain.connect(context.destination);
  voices = new Voices(context);
  context.addEventListener('statechange', () => {
    if (context.state === 'suspended') wake(); // a call that had the loudspeaker is over
    look();
  });
  return context;
}

/** Starts the output, where the browser lets it. */
const wake = () => { if (here.peek().on) output().resume().then(look, look); };

/** The voices' parts, for who plays something else than an announcement. */
export const parts = () => (output(), voices);

/** Plays samples now; resolved when they are over. For who has just been touched. */
export async function play(samples) {
  await output().resume();
  if (!samples.length) return;
  const source = sourceOf(samples);
  await new Promise((resolve) => {
    source.onended = resolve;
    source.start();
  });
}

function sourceOf(samples) {
  const buffer = new AudioBuffer({ length: samples.length, sampleRate: RATE });
  buffer.copyToChannel(samples, 0);
  const source = new AudioBufferSourceNode(context, { buffer });
  source.connect(gain);
  return source;
}

/** Says the time of now; throws if a part of it could not be fetched. */
export async function speakNow(rules, settings) {
  const names = rules.say(minuteAt(Date.now() / 1000, zoneOf(settings)));
  output();
  const [made] = await Promise.all([voices.announcement(names, settings), context.resume()]);
  if (made.failed) throw made.failed;
  missing.set(made.missing);
  await play(made.samples);
}

function drop(one) {
  one.source.onended = null;
  one.source.stop();
  laid = laid.filter((other) => other !== one);
}

/** A page alone speaks, of all that are open in this browser. Without HTTPS there are no locks, and each may. */
function takeLock() {
  if (giveBack || !navigator.locks) return void (isMine = isMine || !navigator.locks);
  giveBack = () => {};
  navigator.locks.request(LOCK, () => new Promise((resolve) => {
    giveBack = resolve;
    isMine = here.peek().on;
    if (isMine) look();
    else resolve();
  })).finally(() => { [giveBack, isMine] = [null, false]; });
}

function standing() {
  if (!here.peek().on) return 'off';
  if (rings.peek().some(({ level }) => level === 'alarm')) return 'alarm';
  if (output().state !== 'running') return 'blocked';
  isFree ||= navigator.userActivation?.hasBeenActive === false;
  takeLock();
  return isMine ? 'ready' : 'elsewhere';
}

let looking = null;
let again = false;

/** Lays what has to be laid. One look at a time: a second one follows when there was news meanwhile. */
function look() {
  again = true;
  looking ??= (async () => {
    while (again) {
      again = false;
      await lay().catch((error) => console.error(error));
    }
    looking = null;
  })();
}

async function lay() {
  const now = Date.now() / 1000;
  state.set(standing());
  if (context && laid.length) noteBegun();
  const { rules, settings, mutedUntil } = told;
  if (state.peek() !== 'ready' || !rules) return laid.filter(isAhead).forEach(drop);
  last = Math.max(lastSpoken(now), last > now + 60 ? 0 : last);
  const wanted = planned(rules, { now, after: last, mutedUntil });
  const made = await Promise.all(wanted.map(({ parts: names }) => voices.announcement(names, settings)));
  if (state.peek() !== 'ready' || again) return;
  const stamp = context.getOutputTimestamp();
  clocks = readings(clocks, aheadOf(stamp.performanceTime ? stamp
    : { contextTime: context.currentTime, performanceTime: performance.now() }, Date.now() - performance.now()));
  const all = wanted.map((one, index) => ({
    at: one.at, when: one.at + middle(clocks), samples: made[index].samples,
    key: `${one.at} ${one.parts.join()} ${settings.voice} ${made[index].samples.length}`,
  })).filter(({ samples }) => samples.length);
  missing.set([...new Set(made.filter((one) => !isUnreached(one.failed)).flatMap((one) => one.missing))]);
  const { drop: gone, add } = changes(laid, all, context.currentTime);
  gone.forEach(drop);
  for (const { samples, ...one } of add) {
    const next = { ...one, source: sourceOf(samples) };
    next.source.onended = () => {
      noteBegun();
      laid = laid.filter((other) => other !== next);
    };
    next.source.start(Math.max(next.when, context.currentTime));
    laid.push(next);
  }
  voices.fetchAhead(settings, () => rules.needed()).catch((error) => console.error(error));
}

const isAhead = ({ when }) => when > context.currentTime;

function noteBegun() {
  for (const { at } of laid.filter((one) => !isAhead(one))) {
    if (at > last) noteSpoken(at);
    last = Math.max(last, at);
  }
}

/** Tells what to say: {rules, settings, mutedUntil (seconds since 1970), version (of a recorded voice)}. */
export function tellSpeaker(next) {
  if (voices && next.version !== told.version) voices.forget(next.settings?.voice); // a word was recorded anew
  const isOther = next.settings?.voice !== told.settings?.voice;
  told = next;
  if (context && isOther) voices.tidy(inTurn(next.settings)).catch(() => {}); // without a network, another time
  look();
}

/** Switches this page on or off; what is laid goes. */
export function switchHere(on) {
  chooseHere({ on });
  if (on) output().resume().then(look, look);
  else if (giveBack) giveBack();
}

/** Begins to look. */
export function startSpeaker() {
  // A new page may be silent until somebody touches it.
  holding(() => here.peek().on && isMine && !isFree && Boolean(told.rules));
  // A finger lets a page be heard when it is lifted, and not yet when it comes down.
  for (const name of ['touchend', 'click', 'keydown']) addEventListener(name, wake, { capture: true, passive: true });
  // A phone takes the loudspeaker from a page that is left, and does not always give it back.
  for (const name of ['visibilitychange', 'pageshow']) addEventListener(name, () => (wake(), look()));
  addEventListener('storage', look);
  setInterval(look, LOOK);
  effect(() => {
    const { volume } = here();
    if (gain) gain.gain.value = volume / 100;
    rings();
    look();
  });
}
