// What the page knows: the space, its sign and its programme, how sure that is, and how it is kept up to date.

import { signal, computed } from '/ui.js';
import { ask, commitOf, keep, recall, HubError } from '/keep.js';
import { Live } from '/realtime.js';
import { civil } from '/words.js';

const HOUR = 3_600_000;
export const DAYS_AHEAD = 400; // that the programme is asked for
const ASK_AGAIN = 60_000; // milliseconds between questions over HTTP while the live line is down
const TICK = 10_000;
const SLEPT = 45_000; // a tick that comes so late means that this device was asleep
const PATIENCE = 250; // an answer within it spares the reader the flash of the last known sign before the present one

/** Each is undefined until something is known. `space` is null when the hub has not been told of a space yet. */
export const space = signal(undefined);
export const sign = signal(undefined);
export const programme = signal(undefined);

/** 'connecting' (quietly, at first), 'live', 'lost' (trying again) or 'refused'; and when that began. */
export const line = signal('connecting');
export const lineSince = signal(Date.now());

/** When the sign, and the programme's copy, were last known to be what the hub says. Milliseconds since 1970. */
export const signConfirmed = signal(0);
export const programmeConfirmed = signal(0);

/** The hub was asked for the sign and could not be reached, so what is shown may be all there is. */
export const unreachable = signal(false);

export const now = signal(Date.now());
export const zone = computed(() => space()?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
export const today = computed(() => civil(now(), zone()).days);

/** The first moment, in which no answer is no news yet. */
export const patient = signal(true);

let isUsable;
/** Done when the page can be used: what can wait asks the hub only then. */
export const usable = new Promise((resolve) => { isUsable = resolve; });
export const tellUsable = () => isUsable();

/** Says how long ago something was, from two instants; null until the rules for it are loaded. */
export const ageWords = signal(null);

/** The sign is what the hub says at this moment, not merely the last that we heard. */
export const current = computed(() => line() === 'live'
  || (line() === 'connecting' && !unreachable() && signConfirmed() > 0 && now() - signConfirmed() < ASK_AGAIN));

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/**
 * One kind of answer: shown from memory first, then asked for; what comes late never replaces what is newer. The hub
 * numbers its changes: an answer that does not know of a change that was told meanwhile is asked for once more.
 */
function subject(key, url, show) {
  let round = 0;
  let shown = false;
  let newest = 0; // the last change that was told
  return {
    /** The line is there anew, and so may the hub be: it counts from another start. */
    begin() { newest = 0; },
    /** There is news of a change. */
    heard(commit = 0) { newest = Math.max(newest, commit); },
    async remember() {
      const kept = await recall(key);
      if (kept && !shown) show(kept.body, kept.at);
    },
    async refresh(isSecond = false) {
      round += 1;
      const mine = round;
      try {
        const body = await ask(key, url());
        if (mine !== round) return true;
        if (!isSecond && commitOf(body) > 0 && commitOf(body) < newest) return await this.refresh(true);
        this.tell(body);
        return true;
      } catch (error) {
        if (mine === round) this.failed?.(error);
        return false;
      }
    },
    /** Shows it, unless something newer was told; answers whether it did. */
    tell(body, at = Date.now(), commit = commitOf(body)) {
      if (commit > 0 && commit < newest && shown) return false;
      this.heard(commit);
      round += 1; // a question that is still under way was asked before this was known
      shown = true;
      show(body, at);
      return true;
    },
  };
}

const spaceSubject = subject('space', () => '/api/v1/space', (body) => space.set(body));

spaceSubject.failed = (error) => {
  if (error instanceof HubError && error.status === 404) space.set(null);
};

const signSubject = subject('sign', () => '/api/v1/space/state', (body, at) => {
  if (!same(body, sign.peek())) sign.set(body);
  signConfirmed.set(at);
});

signSubject.failed = (error) => unreachable.set(!(error instanceof HubError) || error.status >= 500);

const date = (at) => new Date(at).toISOString().slice(0, 10);

// From yesterday, by a margin that holds in every time zone: what began yesterday may not be over. At the same time
// from the first week of this month, which the month view shows whole.
const programmeUrl = () => {
  const margin = Date.now() - 36 * HOUR;
  const from = Date.parse(`${date(margin).slice(0, 8)}01`) - 7 * 24 * HOUR;
  return `/api/v1/space/events?from=${date(from)}&to=${date(Date.now() + DAYS_AHEAD * 24 * HOUR)}`;
};

const programmeSubject = subject('programme', programmeUrl, (body, at) => {
  const before = programme.peek();
  // The same events stay the same objects: that the calendars were looked at again is no reason to draw the page again.
  if (!same(body, before)) programme.set(same(body.events, before?.events) ? { ...body, events: before.events } : body);
  programmeConfirmed.set(at);
});

async function refreshSign() {
  if (await signSubject.refresh()) unreachable.set(false);
}

export const refreshProgramme = () => programmeSubject.refresh();

const listeners = [];

/** Calls `act` with the data of each event of that name, and for 'live' when the line is there (again). */
export const onNews = (name, act) => listeners.push({ name, act });

const tell = (name, data) => {
  for (const listener of listeners) if (listener.name === name) listener.act(data);
};

/** What the hub answered to whoever turned the sign here: not a moment later than the news of it. */
export function tellSign(body) {
  if (signSubject.tell(body)) keep('sign', body);
}

/** The live line; other channels may be listened to over it. */
export const live = new Live({
  url: `${location.origin.replace('http', 'ws')}/app/eightbells?protocol=7&client=eightbells-page&version=1`,
  channel: 'space',
  onstatus(status) {
    if (line.peek() === 'live') rememberConfirmation(live.heardAt);
    line.set(status);
    lineSince.set(Date.now());
    now.set(Date.now());
    if (status !== 'live') return;
    for (const subject of [signSubject, spaceSubject, programmeSubject]) subject.begin();
    unreachable.set(false);
    // Whatever happened while nobody listened is fetched, and what did not change costs a few bytes.
    refreshSign();
    programmeSubject.refresh();
    usable.then(() => {
      spaceSubject.refresh();
      tell('live');
    });
  },
  onevent(name, data, commit) {
    if (name === 'state' && data && 'open' in data) {
      if (signSubject.tell(data, Date.now(), commit)) keep('sign', data);
    } else if (name === 'state') {
      refreshSign();
    } else if (name === 'programme') {
      programmeSubject.heard(commit);
      programmeSubject.refresh();
    } else if (name === 'settings') {
      spaceSubject.heard(commit);
      spaceSubject.refresh();
      refreshSign();
      programmeSubject.refresh();
    }
    tell(name, data);
  },
});

/**
 * While the line is live the sign is known to be right, though nothing is sent: what is kept gets the age due to
 * it.
 */
function rememberConfirmation(at) {
  if (sign.peek() === undefined) return;
  signConfirmed.set(at);
  keep('sign', sign.peek(), at);
  if (programme.peek() === undefined) return;
  programmeConfirmed.set(at);
  keep('programme', programme.peek(), at);
}

let asked = 0;

function tick() {
  const before = { day: today.peek(), at: now.peek() };
  now.set(Date.now());
  if (today.peek() !== before.day) programmeSubject.refresh();
  if (now.peek() - before.at > SLEPT && !document.hidden) live.check();
  const down = line.peek() === 'lost' || line.peek() === 'refused';
  if (down && Date.now() - asked > ASK_AGAIN && !document.hidden) {
    asked = Date.now(); // some networks let HTTP through, but no WebSocket
    refreshSign();
  }
}

/** Shows what is remembered, asks for what is true, and keeps listening. Done when there is a sign to show, or none. */
export async function start() {
  live.start();
  spaceSubject.remember();
  programmeSubject.remember();
  const answered = Promise.all([spaceSubject.refresh(), refreshSign()]);
  setInterval(tick, TICK);
  addEventListener('online', () => live.check());
  addEventListener('offline', () => live.check());
  addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') {
      tick();
      live.check();
    } else if (line.peek() === 'live') {
      rememberConfirmation(live.heardAt);
    }
  });
  await Promise.race([answered, new Promise((resolve) => { setTimeout(resolve, PATIENCE); })]);
  await signSubject.remember();
  patient.set(false);
  if (sign.peek() === undefined) await answered;
}
