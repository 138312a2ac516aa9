// This page as a watcher: its own receiver and the same rules as hub and agent, as long as it is open. It keeps the
// screen on, reports to the hub, and after a silence it goes on by itself and says how long it was.

import { computed, effect, signal } from '/ui.js';
import { stayAwake } from '/awake.js';
import { remember, remembered } from '/keep.js';
import { holding } from '/offline.js';
import { session } from '/session.js';
import { loadAnchorRules } from '/anchor/anchor-rules.js';
import {
  draftRules, isAlarm, isLost, isWaking, missed, own, refresh, refreshTrack, report, settings, status, track,
} from '/anchor/model.js';
import { OPTIONS, Receiver } from '/anchor/receiver.js';
import { isMuted, sound } from '/anchor/sound.js';
import { Unsent } from '/anchor/unsent.js';

const KEPT = 'eightbells-anchor-here';
const LAST = 'eightbells-anchor-last';
const REPORT = 15; // seconds between two reports, at most
const PROMISE = 50; // seconds within which the hub may count on the next one, unless it shall come sooner
const SHOWN = 5_000; // fixes that are drawn while the hub is not reached
const NAME = 80; // characters of this page's name at the hub
const RELOAD = 5_000; // milliseconds until rules that could not be loaded are asked for once more
const SLEPT = 90; // seconds without a beat after which this device has slept: a hidden page has one a minute
const QUIET = 15; // seconds without a fix until the receiver is asked for one

/** {on}: this browser's choice. */
export const here = signal({ on: remembered(KEPT) === 1 });
/** Why it cannot watch: '', or a name of `words.troubles`. */
export const trouble = signal('');
/** A silence of this page, {from, to, watched: if others looked meanwhile}, until somebody has read it. */
export const gap = signal(null);
export const forgetGap = () => gap.set(null);

let rules; // the watch by the rules; null until they are loaded
let areMissing = false; // they could not be loaded
let battery = null;
let sending = null; // the reports that are on their way
let sentAt = 0;
let unjudged = null; // a fix from before the rules and the settings were there, or were asked for after a sleep
let askedAt = 0; // when the receiver last told something, or was asked for it

const receiver = new Receiver(seen, failed);
const unsent = new Unsent();
const now = () => Date.now() / 1000;
/** True after so many seconds. A clock that was put back ends the wait, too; time asleep counts, as it does not in
 * performance.now() everywhere. */
const isPast = (at, most) => Math.abs(now() - at) >= most;
const promise = () => Math.min(PROMISE, settings.peek()?.beat_s ?? PROMISE);

let ranAt = now();

/** Notices that this device has slept: the anchor may have been weighed meanwhile, or somebody be on the alarm. */
export function notice() {
  const hasSlept = isPast(ranAt, SLEPT);
  ranAt = now();
  if (!hasSlept || !settings.peek()) return;
  isWaking.set(true);
  refresh().finally(() => isWaking.set(false));
}

/** How often it looks: always while charging or near the edge, seldom on a battery, as the rules say. */
function pace() {
  if (!here.peek().on || !receiver.isThere) return;
  receiver.pace(battery && !battery.charging ? rules?.nextCheck(false, battery.level) ?? 0 : 0);
}

function told() {
  if (!here.peek().on || !rules || !settings.peek()) return own.set(null);
  const { state, distance_m: distance, share, room_m: room } = rules.now();
  const { at = null, accuracy = null, place = null } = own.peek() ?? {};
  const judged = place ? { distance, share, room } : { distance: null, share: null, room: null };
  return own.set({ state, ...judged, at, accuracy, place });
}

/** A silence since the last fix of this page, also across a reload. */
async function noticeGap(at) {
  const last = remembered(LAST);
  const since = Date.parse(status.peek()?.dropped_at ?? status.peek()?.since ?? '') / 1000;
  const most = settings.peek()?.gap_s ?? 60;
  if (!last || !settings.peek() || at - last < most || last < since) return;
  gap.set({ from: last, to: at, watched: false });
  await send();
  await refreshTrack();
  const others = track.peek().fixes.some(([time]) => time > last + 1 && time < at - 1);
  if (gap.peek()) gap.set({ from: last, to: at, watched: others });
  if (!others) missed.set([...missed.peek(), [last, at]]);
}

/** No trouble any more, but that of the rules, without which no position helps. */
const clearTrouble = () => trouble.set(areMissing ? 'rules' : '');

function seen({ coords, timestamp }) {
  clearTrouble();
  const sent = timestamp / 1000;
  const at = Math.abs(sent - now()) < 600 ? sent : now(); // some receivers count from another year
  const fix = [at, coords.latitude, coords.longitude, coords.accuracy ?? null];
  askedAt = now();
  notice();
  unsent.add(fix);
  if (rules && settings.peek() && !isWaking.peek()) judge(fix);
  else unjudged = fix;
  if (isLost.peek()) { // the hub's own track has it otherwise
    const { fixes, ...rest } = track.peek();
    track.set({ ...rest, fixes: [...fixes, fix].slice(-SHOWN) });
  }
  pace();
}

/** What the rules say is shown, and the hub hears of it at once. */
function happened(said) {
  told();
  if (!said.length) return;
  unsent.tell(said);
  send();
}

function judge(fix) {
  const [at, lat, lon, accuracy] = fix;
  unjudged = null;
  noticeGap(at);
  remember(LAST, at);
  own.set({ at, accuracy, place: [lat, lon] });
  happened(rules.take({ time: at, lat, lon, accuracy }));
}

function failed({ code }) {
  trouble.set(code === 1 ? 'denied' : 'unavailable');
  if (code === 1) leave();
}

async function deliver() {
  do {
    sentAt = now();
    const part = unsent.first();
    const { person, device } = session.peek();
    try {
      await report({
        source: [person?.name, device?.name ?? 'page'].filter(Boolean).join(', ').slice(0, NAME), kind: 'page',
        interval_s: promise(), battery: battery ? battery.level : null, charging: battery ? battery.charging : null,
        state: own.peek()?.state ?? 'waiting', ...part,
      });
      unsent.done(part);
    } catch (error) {
      if (error.status === 400) unsent.done(part); // it would never be taken, and keep back what comes after it
      else if (session.peek()) unsent.later(); // the hub is not reached: it is told later, and has rung by then
      return;
    }
  } while (unsent.isUrgent && here.peek().on && session.peek());
}

/** Tells the hub what this page has seen; a report is a sign of life, too. */
function send() {
  if (!here.peek().on || !session.peek()) return undefined;
  sending ??= deliver().finally(() => { sending = null; });
  return sending;
}

function leave() {
  receiver.stop();
  stayAwake('anchor', false);
  own.set(null);
}

function begin() {
  if (!receiver.isThere) return trouble.set(isSecureContext ? 'unavailable' : 'insecure');
  pace();
  return stayAwake('anchor', true);
}

/** The page is seen, or runs, again: systems leave its receiver and its sound standing. */
function comeBack() {
  if (document.hidden || !here.peek().on) return;
  stayAwake('anchor', true);
  sound.allow();
  receiver.stop();
  pace();
  send();
}

/** Watches from now on, or no longer; called by a hand, which also lets the page make a sound. */
export function switchHere(on) {
  if (on) sound.allow();
  here.set({ on });
  remember(KEPT, on ? 1 : null);
  clearTrouble();
  if (on) return begin();
  unsent.clear();
  return leave();
}

/** One look by this device's receiver, for a drop: [latitude, longitude]. */
export const whereNow = () => new Promise((resolve, reject) => {
  if (!receiver.isThere) return reject(new Error('unavailable'));
  return navigator.geolocation.getCurrentPosition(
    ({ coords }) => resolve([coords.latitude, coords.longitude]), reject, OPTIONS);
});

function followSettings(them) {
  areMissing = false;
  draftRules.set(them);
  if (trouble.peek() === 'rules') trouble.set('');
  effect(() => {
    const set = settings();
    if (!set) {
      if (rules && status.peek()) { // weighed; she may be at anchor again by the time that the hub has all of it
        Promise.resolve(send()).then(() => { if (!settings.peek()) switchHere(false); });
      }
      rules = null;
      return;
    }
    if (rules) rules.change(set);
    else {
      rules = them.watch(set, now());
      own.set(null); // what was seen at the anchorage before
    }
    if (unjudged && here.peek().on && !isWaking()) judge(unjudged);
    else told();
  });
}

const loadRules = () => loadAnchorRules().then(followSettings, (error) => {
  console.error(error);
  areMissing = true;
  if (!trouble.peek()) trouble.set('rules');
  setTimeout(loadRules, RELOAD);
});

export function startWatching() {
  // Nobody touches a new page at night, and until then it may not make a sound.
  const rings = () => Boolean(status.peek()?.armed) && !isMuted.peek();
  const watches = () => here.peek().on && trouble.peek() !== 'denied';
  holding(() => Boolean(settings.peek()) && (watches() || rings()));
  navigator.getBattery?.().then((found) => {
    battery = found;
    for (const name of ['chargingchange', 'levelchange']) found.addEventListener(name, pace);
  }, () => {});
  loadRules();
  setInterval(() => {
    notice();
    if (!here.peek().on) return;
    if (isPast(sentAt, Math.min(REPORT, promise() / 4))) send();
    if (!rules || !settings.peek() || isWaking.peek()) return;
    if (isPast(askedAt, QUIET) && receiver.isFollowed) { // a receiver that tells nothing while nothing moves
      askedAt = now();
      receiver.ask();
    }
    happened(rules.pass(now()));
  }, 1000);
  for (const name of ['visibilitychange', 'pageshow']) addEventListener(name, comeBack);
  document.addEventListener('resume', comeBack);
  const keepUnsent = () => { if (session.peek()) unsent.save(); }; // of who has signed out nothing stays here
  for (const name of ['visibilitychange', 'pagehide']) addEventListener(name, keepUnsent);
  const touched = () => { if (isMuted.peek()) sound.allow(); };
  // A finger lets a page be heard when it is lifted, and not yet when it comes down.
  for (const name of ['touchend', 'click', 'keydown']) addEventListener(name, touched, true);
  addEventListener('online', send);
  effect(() => sound.ring(isAlarm()));
  effect(() => { if (!isLost()) send(); });
  const mayRing = computed(() => here().on || Boolean(status()?.armed)); // not anew with each position
  effect(() => { if (mayRing()) sound.allow(); }); // not touched yet, it is told that it is silent
  unsent.restore().then(send);
  if (here.peek().on) begin();
}
