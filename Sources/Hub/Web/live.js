// A page's live connection, and the hub's answers, which it keeps up to date. Rooms declare their requests, and handle
// their events.

import { insist, soon } from '/done.js';
import { effect, signal } from '/ui.js';
import { ask, commitOf, hubAhead, isAway, keepAnswer, lookUp, recall, wasInside } from '/keep.js';
import { now, place, today } from '/place.js';
import { Live } from '/realtime.js';
import { rooms } from '/rooms.js';
import { refreshSession, same, session } from '/session.js';

export const ASK_AGAIN = 60_000; // milliseconds between requests over HTTP while there is no live connection
// Milliseconds until what could not be fetched is requested again; each time twice as long.
const REPEAT = { first: 5_000, last: 60_000 };
const TICK = 10_000;
const SLEPT = 45_000; // a timer so late means that this device was asleep, or that its clock was set
const RINGING = '/elsewhere.js'; // a file by itself

/** 'connecting' (quietly, at first), 'live', 'lost' (reconnecting) or 'refused'; and when that began. */
export const line = signal('connecting');
export const lineSince = signal(Date.now());

/** The hub cannot be reached, so nothing newer may come. */
export const unreachable = signal(false);

let isUsable;
/** Resolved when the page can be used: less important requests wait for it. */
export const usable = new Promise((resolve) => { isUsable = resolve; });
export const tellUsable = () => isUsable();

/** On a room's own page: tells those who are signed in what rings in other rooms too, once the page can be used. */
export const tellRinging = () => effect(() => { if (session()) usable.then(() => insist(() => import(RINGING))); });

const unlessSame = (body, before) => (same(body, before) ? before : body);

const subjects = [];

/** The id of whoever is signed in. */
const person = () => session.peek()?.person?.id;

/**
 * One kind of answer, in `value`: shown from memory first, then requested; an older answer never replaces a newer one.
 * The hub numbers its changes: an answer older than a change that was reported meanwhile is requested again.
 * `confirmed` is the time when it was last known to be current, in milliseconds since 1970, by the hub's clock. With
 * `isTold`, every change of it is reported by an event, so that a live connection confirms it while `isAnswered`: there
 * was an answer since the connection was last lost, and no later request has failed. What only the signed-in person is
 * told, with `isMine`, ends with their session. `take(body, before)` returns the value to show. `failed(error)` is told
 * each failure, and with null that there is an answer again. For a `room` that is switched off nothing is requested.
 */
export function subject(key, url, options = {}) {
  const { value = signal(undefined), take = unlessSame, isTold = true, isMine = false, failed, room } = options;
  const isOff = room !== undefined && !rooms.some(({ id }) => id === room);
  const confirmed = signal(0);
  const isAnswered = signal(false);
  let round = 0;
  let asked = 0; // the round of the newest request
  let asking; // and its promise
  let shown = false;
  let newest = 0; // the last change reported by an event
  let repeating; // the timer of the next request
  let pause = REPEAT.first;
  const show = (body, at) => {
    if (Math.abs(Date.now() + hubAhead() - now.peek()) > SLEPT) tick(); // the clocks were found to differ
    value.set(take(body, value.peek()));
    confirmed.set(at + hubAhead());
  };
  /** Requests it again after a while, unless the connection is lost: a new one does so itself. */
  const repeat = () => {
    repeating = setTimeout(() => { if (line.peek() === 'live') it.refresh(); }, pause);
    pause = Math.min(2 * pause, REPEAT.last);
  };
  const request = async (isSecond = false) => {
    if (isOff) return false;
    clearTimeout(repeating);
    round += 1;
    asked = round;
    const mine = round;
    const whose = person();
    try {
      const body = await ask(key, url());
      if (mine !== round) return asked > mine ? asking : true;
      if (isMine && whose !== person()) return false; // it is for somebody who has signed out meanwhile
      if (!isSecond && commitOf(body) > 0 && commitOf(body) < newest) {
        asking = request(true);
        return asking;
      }
      it.tell(body);
      return true;
    } catch (error) {
      if (mine !== round) return asked > mine && asking;
      isAnswered.set(false);
      failed?.(error);
      if (isAway(error) || error.status === 429) repeat();
      return false;
    }
  };
  const it = {
    value,
    confirmed,
    isAnswered,
    /** Changes are missed without a connection: they have to be asked for. */
    doubt() { isAnswered.set(false); },
    /** A new connection: the hub may have restarted, and its numbers begin anew. */
    begin() { newest = 0; },
    /** Records a change's number from an event. */
    heard(commit = 0) { newest = Math.max(newest, commit); },
    /** Shows the stored answer; somebody's own only in time, since it may be of whoever was here before. */
    remember: () => soon((isMine ? recall : lookUp)(key).then((kept) => {
      if (kept && !shown) show(kept.body, kept.at);
    })),
    /** Resolved when what the hub knew at the call is shown, or newer: with true, or with false if it cannot be had. */
    refresh() {
      asking = request();
      return asking;
    },
    /** Shows an answer of `at`, by this device's clock, unless a newer one is shown; returns true if it did. */
    tell(body, at = Date.now(), commit = commitOf(body)) {
      failed?.(null);
      if (commit > 0 && commit < newest && shown) return false;
      it.heard(commit);
      clearTimeout(repeating);
      pause = REPEAT.first;
      round += 1; // the answer to an earlier request is outdated now
      shown = true;
      show(body, at);
      isAnswered.set(true);
      return true;
    },
    /** Confirms the answer at `at`, by this device's clock, without a new one, so that its age is right. */
    confirm(at) {
      if (!isTold || !isAnswered.peek() || value.peek() === undefined) return;
      confirmed.set(at + hubAhead());
      // Another tab may have signed out.
      if (!isMine || wasInside()) keepAnswer(key, value.peek(), isMine, at);
    },
  };
  const forget = () => {
    clearTimeout(repeating);
    shown = false;
    isAnswered.set(false);
    confirmed.set(0);
    value.set(undefined);
  };
  let known; // whose it is
  if (isMine) {
    effect(() => {
      session();
      if (known !== undefined && known !== person()) forget();
      known = person();
    });
  }
  subjects.push(it);
  return it;
}

const listeners = [];

/**
 * Calls `act` with the data and the commit's number of each event of that name. The page's own events: 'line', when the
 * connection is there (again); 'live', when the page can also be used; 'day', when a new day has begun; 'ask', from
 * time to time without a connection, and when the time has jumped.
 */
export const onNews = (name, act) => listeners.push({ name, act });

function tell(name, data, commit) {
  for (const listener of listeners) if (listener.name === name) listener.act(data, commit);
}

const confirm = () => subjects.forEach((one) => one.confirm(live.heardAt));

const isDown = (status) => status === 'lost' || status === 'refused';

// A connection needs a public channel: with no room that has one, this, which has no events.
const [channel = 'me', ...others] = new Set(rooms.map((room) => room.channel).filter(Boolean));

/** The live connection; other channels may use it, too. */
export const live = new Live({
  url: `${location.origin.replace('http', 'ws')}/app/eightbells?protocol=7&client=eightbells-page&version=1`,
  channel,
  onstatus(status) {
    const before = line.peek();
    if (before === 'live') confirm();
    if (isDown(status) || isDown(before)) subjects.forEach((one) => one.doubt());
    line.set(status);
    now.set(Date.now() + hubAhead());
    lineSince.set(now.peek());
    if (status === 'lost' && before === 'connecting') askNow(); // perhaps only WebSockets are not passed on
    if (status !== 'live') return;
    subjects.forEach((one) => one.begin());
    unreachable.set(false);
    // Changes during a disconnection are fetched; unchanged answers cost a few bytes.
    tell('line');
    usable.then(() => tell('live'));
  },
  onevent: tell,
});

/** The place, for a page of which no room tells more of it. */
export function followPlace() {
  const known = subject('place', () => '/api/v1/place', {
    value: place,
    isTold: false,
    failed: (error) => { if (!isAway(error) && error.status === 404) place.set(null); },
  });
  known.remember();
  for (const name of ['line', 'settings']) onNews(name, () => { known.refresh(); });
  if (line.peek() === 'live') known.refresh();
}

let asked = 0;
let ticked = Date.now();

/** Some networks permit HTTP, but no WebSocket. */
function askNow() {
  asked = Date.now();
  tell('ask');
}

function tick() {
  const [day, before] = [today.peek(), ticked];
  ticked = Date.now();
  now.set(ticked + hubAhead());
  if (today.peek() !== day) tell('day');
  const isOther = Math.abs(ticked - before) > SLEPT && !document.hidden;
  if (isOther) live.check();
  const isTime = Math.abs(ticked - asked) > ASK_AGAIN; // a clock that was put back ends the wait, too
  // How far a clock is off that was set, the hub's next answer tells; a live connection alone may have none for hours.
  if (isOther || (isDown(line.peek()) && isTime && !document.hidden)) askNow();
}

/** Follows the role of whoever is signed in, so that the page offers what is allowed now. */
function followRole() {
  let followed = null;
  let end = () => {};
  const follow = () => {
    const id = session()?.person?.id ?? null;
    if (id === followed) return;
    end();
    followed = id;
    if (id === null) return;
    let wasLive = false; // what changed during a disconnection is not told
    end = live.listen(`private-person-${id}`, {
      onevent: (name) => { if (name === 'person') refreshSession(); },
      onlive() {
        if (wasLive) refreshSession();
        wasLive = true;
      },
      // Signed out, perhaps; otherwise it is tried again with the next connection.
      onrefused() {
        followed = null;
        refreshSession();
      },
    });
  };
  effect(follow);
  onNews('live', follow);
}

let isStarted = false;

/** Connects, and stays connected. False if that has begun before. */
export function startLive() {
  if (isStarted) return false;
  isStarted = true;
  live.start();
  for (const one of others) live.listen(one, { onevent: tell });
  usable.then(followRole);
  setInterval(tick, TICK);
  addEventListener('online', () => live.check());
  addEventListener('offline', () => live.check());
  addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') {
      tick();
      live.check();
    } else if (line.peek() === 'live') {
      confirm();
    }
  });
  return true;
}
