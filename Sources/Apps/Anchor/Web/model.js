// The watch as the hub knows it, the track, and the changes that the pages make; beside it what this page sees by its
// own receiver (/anchor/watching.js).

import { computed, effect, ending, signal } from '/ui.js';
import { hubAhead, isAway } from '/keep.js';
import { live, onNews, subject } from '/live.js';
import { said } from '/moments.js';
import { now, zone } from '/place.js';
import { change, create, load, refreshSession, session } from '/session.js';
import { civil, clock as digits } from '/words.js';
import { bearingOf, metres, reachOf } from '/anchor/geometry.js';

const ANCHOR = '/api/v1/anchor';
/** The hours of track that are drawn. */
export const HOURS = 6;
const EVERY = 20; // seconds between the fixes of the track that the hub is asked for
const OFTEN = 5_000; // milliseconds between questions for the track, at least
const WHOLE = 600_000; // milliseconds until all of it is asked for again: some fixes come late, as from a boat offline
const TWICE = 120; // seconds of it that are asked for once more with what is new, for a gap that ends there
const AHEAD = 15; // seconds by which a fix of this page is newer than the boat's own and counts instead
const STALE = 60; // seconds after which a fix is no longer of now, unless its source promised less

/** The watch; undefined until it is known. */
const watch = subject('anchor', () => ANCHOR, {
  isTold: false,
  failed: (error) => isLost.set(error !== null),
});
/** True while the last question to the hub failed. */
export const isLost = signal(false);
/** {fixes: [[seconds, latitude, longitude, accuracy]], gaps: [[from, to]], events}, oldest first. */
export const track = signal({ fixes: [], gaps: [], events: [] });
/** Silences in which nobody looked, as this page has found them when it came back: [[from, to]]. */
export const missed = signal([]);
/** The watch of this page itself: {state, distance, share, room, at, accuracy, place}; null while it does not watch. */
export const own = signal(null);

/** The rules of the watch, for zones that the hub does not have yet; null until they are loaded. */
export const draftRules = signal(null);

/** The second of now, since 1970, by this device's clock. */
export const second = signal(Math.floor(Date.now() / 1000));

/** Seconds by which the hub's clock is ahead: an age on a watch must not be wrong where this device's clock is. */
const ahead = signal(0);

/** The second of now by the hub's clock, for what the hub has told. */
export const hubSecond = () => second() + ahead();

export const status = watch.value;
export const settings = computed(() => status()?.settings ?? null);
const seconds = (time) => (time ? Date.parse(time) / 1000 : null);
const RANK = ['idle', 'dropped', 'waiting', 'holding', 'lost', 'warning', 'alarm'];

/** The worse of two states. */
const worse = (one, other) => (RANK.indexOf(one) >= RANK.indexOf(other) ? one : other);

/**
 * Metres within the zone's edge in which it warns, everywhere the same; null while neither the hub nor the rules have
 * said it.
 */
export function warningRoom(of) {
  const { zone, warning = 0.8 } = of;
  if (zone.shape === 'circle') return zone.radius_m * (1 - warning);
  const { settings: known, warning_room_m: room } = status() ?? {};
  const isKnown = known?.warning === warning && JSON.stringify(known.zone) === JSON.stringify(zone);
  return (isKnown ? room : draftRules()?.warningRoom(of)) ?? null;
}

const placeOf = (fix) => (fix ? [fix.lat, fix.lon] : null);

/** Degrees from the boat to her anchor: from this page's own position, and as the hub has judged it. */
const bearingTo = (set, place) => (place ? bearingOf(metres([set.anchor.lat, set.anchor.lon], place)) : null);
const fromHub = ({ bearing_deg: away }) => (typeof away === 'number' ? (away + 180) % 360 : null);

/**
 * The contents of the board: {state, since, distance, bearing, share, room, warn, alarm, at, accuracy, place, heading,
 * onIt}. `room` is what is left to the edge, and it warns where that is less than `warn`.
 * Distance, bearing and room are the bow's where the heading is told; `place` is the antenna's.
 * The newer of what the hub and this page have seen, and the worse of what they think.
 */
export const reading = computed(() => {
  const hub = status();
  if (!hub) return null;
  const mine = hub.settings && own();
  const at = hub.fix?.at ? seconds(hub.fix.at) - ahead() : null;
  const leads = hub.sources?.find(({ id }) => id === hub.fix?.source)?.kind;
  const isMine = Boolean(mine) && mine.at !== null
    && (at === null || isLost() || leads === 'page' || mine.at - at > AHEAD);
  const isOn = !['idle', 'dropped'].includes(hub.state);
  const thinks = mine?.state === 'lost' && !isLost() ? 'waiting' : mine?.state; // others may see her
  const state = mine && isOn ? (isLost() ? thinks : worse(hub.state, thinks)) : hub.state;
  const distance = (isMine ? mine.distance : hub.distance_m) ?? null;
  return {
    state, since: seconds(hub.since), distance,
    bearing: isMine ? bearingTo(hub.settings, mine.place) : fromHub(hub),
    share: (isMine ? mine.share : hub.share) ?? null,
    room: (isMine ? mine.room : hub.room_m) ?? null,
    alarm: reachOf(hub.settings), warn: hub.settings ? warningRoom(hub.settings) : null,
    at: isMine ? mine.at : at,
    accuracy: isMine ? mine.accuracy : hub.fix?.accuracy_m ?? null,
    place: isMine ? mine.place : placeOf(hub.fix),
    heading: (isMine ? null : hub.fix?.heading_deg) ?? null,
    onIt: hub.acknowledged_by ?? null, // the name of whoever is
  };
});

/** True while nobody tells anything new: the hub cannot be reached, and this page does not watch. */
export const isOld = computed(() => {
  const it = reading();
  return Boolean(it) && isLost() && !own() && it.at !== null && second() - it.at > STALE;
});

export const timeOf = (at) => digits(civil(at * 1000, zone()));
/** The same with its day, unless that is today: an anchor lies for days, and so long goes its watch. */
export const whenOf = (at) => said(at * 1000, now(), zone());

const LOUD = ['alarm', 'lost'];
const AGAIN = 180; // seconds until an alarm that was silenced without the hub sounds again
const BYGONE = 3600; // seconds after which what the hub has told rings no more, while it tells nothing new
const silenced = signal(0);
const wasUntold = signal(false);
let hushed = []; // what rang when this page was silenced
/** All that rings: the page's own state, and the kinds of the hub's open alarms. */
const ringing = () => [reading()?.state, ...(status()?.alarms ?? []).map(({ kind }) => kind)];
/** A clock that is put back makes the silence no longer than it may be, and what did not ring then is in no silence. */
const isSilent = () => silenced() > second() && silenced() - second() <= AGAIN
  && ringing().every((one) => hushed.includes(one));

/** True from waking until the hub was asked what has become of the watch: an old one is not sounded. */
export const isWaking = signal(false);

/** True while it rings and nobody has said that they are on it. Without the hub, what this page sees itself counts. */
export const isAlarm = computed(() => {
  const it = reading();
  if (!LOUD.includes(it?.state) || isSilent() || isWaking()) return false;
  const isOwn = isLost() && Boolean(own());
  const isBygone = !own() && !watch.isAnswered() && hubSecond() - watch.confirmed() / 1000 > BYGONE;
  return isOwn || !(it.onIt || isBygone);
});

/** True while only this page is silent of an alarm: the hub has not heard that somebody is on it. */
export const isUntold = computed(() => wasUntold() && isSilent() && LOUD.includes(reading()?.state)
  && (isLost() || !reading().onIt));

/** "I'm on it": silences this page at once, and all others by the hub. */
export async function silence() {
  hushed = ringing();
  silenced.set(second.peek() + AGAIN);
  wasUntold.set(false);
  await acknowledge().catch(() => wasUntold.set(true));
}

/** Ticks at the beginning of each second. */
export function tick() {
  let timer;
  const beat = () => {
    second.set(Math.floor(Date.now() / 1000));
    ahead.set(Math.round(hubAhead() / 1000));
    timer = setTimeout(beat, 1000 - (Date.now() % 1000) + 5);
  };
  beat();
  ending(() => clearTimeout(timer));
}

let asked = 0;
let coming = null; // the track that will be read soon
let wholeAt = 0; // when all of it was read
let newest; // the second of the last fix that the hub has told; undefined while there is none

async function readTrack() {
  const left = Math.min(OFTEN, asked + OFTEN - Date.now()); // no more where the clock was put back
  await new Promise((resolve) => { setTimeout(resolve, Math.max(0, left)); });
  asked = Date.now();
  coming = null; // who asks from now on may want what comes after this
  const isWhole = !newest || Math.abs(asked - wholeAt) > WHOLE;
  const from = isWhole ? Math.floor((asked + hubAhead()) / 1000) - HOURS * 3600 : Math.floor(newest) - TWICE;
  const since = new Date(from * 1000).toISOString().replace('.000Z', 'Z');
  try {
    const told = await load(`${ANCHOR}/track?since=${since}&every=${EVERY}`);
    const before = track.peek();
    const joined = (name) => (isWhole ? told[name]
      : [...before[name].filter((one) => (one[0] ?? seconds(one.at)) < from), ...told[name]]);
    track.set({ fixes: joined('fixes'), gaps: joined('gaps'), events: joined('events') });
    newest = told.fixes.at(-1)?.[0];
    if (isWhole) wholeAt = asked;
  } catch { // the last one stays
  }
}

/** Reads what is new of the track, at most every few seconds; resolved when it is there. */
export function refreshTrack() {
  coming ??= readTrack();
  return coming;
}

export async function refresh() {
  if (!session.peek()) return;
  await watch.refresh();
  if (status.peek()?.settings) refreshTrack();
}

/** Keeps it up to date, by the hub's event `anchor`. */
export function followAnchor() {
  const me = computed(() => session()?.person?.id ?? null);
  watch.remember();
  effect(() => {
    if (me() === null) return;
    refresh();
    const onevent = (name) => { if (name === 'anchor') refresh(); };
    ending(live.listen('private-anchor', { onevent, onlive: refresh, onrefused: refreshSession }));
  });
  onNews('ask', refresh);
  addEventListener('visibilitychange', () => { if (!document.hidden) refresh(); });
}

const took = (answer) => {
  if (answer && 'state' in answer) watch.tell(answer);
  return refresh();
};

export const drop = async (where = {}) => took(await change('POST', `${ANCHOR}/drop`, where));
export const save = async (changed) => took(await change('PATCH', ANCHOR, changed));
export const weigh = async () => took(await change('POST', `${ANCHOR}/weigh`, { sure: true }));
/** Silences the boat, too, which rings for things of which the hub has no alarm. */
export const acknowledge = async () => took(await change('POST', `${ANCHOR}/acknowledge`, {}));
export const extend = async () => took(await change('POST', `${ANCHOR}/extend`, {}));
export const replay = (draft) => change('POST', `${ANCHOR}/replay`, draft);
export const history = () => load(`${ANCHOR}/history`);
export const phones = () => load(`${ANCHOR}/phones`);
export const addPhone = (fields) => create(`${ANCHOR}/phones`, fields);
export const removePhone = (id) => change('DELETE', `${ANCHOR}/phones/${id}`);

/** Tells the hub what this page has seen, and learns if it is reached: a hidden page asks for nothing else. */
export async function report(fields) {
  try {
    await change('POST', `${ANCHOR}/positions`, fields);
  } catch (error) {
    if (isAway(error)) isLost.set(true);
    throw error;
  }
  if (isLost.peek()) refresh();
}

/** Begins the watch; returns what the hub warns of. */
export async function arm() {
  const answer = await change('POST', `${ANCHOR}/arm`, {});
  await took(answer);
  return answer?.warnings ?? [];
}
