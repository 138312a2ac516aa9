// The page's copy of the programme, and its updates.

import { computed, signal } from '/ui.js';
import { ask, hubAhead } from '/keep.js';
import { line, onNews, subject, usable } from '/live.js';
import { reusing, same } from '/session.js';

export const DAY = 86_400_000; // milliseconds
export const DAYS_AHEAD = 400; // requested from the hub

export const dateOf = (days) => new Date(days * DAY).toISOString().slice(0, 10);
export const daysOf = (date) => Date.parse(date) / DAY;
/** The first day of the month of a day; both in days since 1970. */
export const firstOf = (days) => daysOf(`${dateOf(days).slice(0, 7)}-01`);

// From yesterday on, which is early enough in every time zone, since yesterday's events may not be over; and from the
// first week of this month on, which the month view shows.
const url = () => {
  const days = (Date.now() + hubAhead()) / DAY;
  return `/api/v1/space/events?from=${dateOf(firstOf(days - 1.5) - 7)}&to=${dateOf(days + DAYS_AHEAD)}`;
};

const NEAR = '/api/v1/space/events?days=14'; // the programme's page preloads it

/** Unchanged events stay the same objects, so that nothing is redrawn after calendars were read again. */
function take(body, before) {
  if (same(body, before)) return before;
  const shown = (before ?? near.peek())?.events;
  return { ...body, events: same(body.events, shown) ? shown : reusing(shown, body.events) };
}

/** The events of the next days, for the first view on a device that has no copy yet; undefined otherwise. */
const near = signal(undefined);
let isNear = false; // true while they may be enough

const known = subject('programme', url, { take, room: 'programme' });

/** {events, sources}; undefined until known. At first the events may be those of the next days only. */
export const programme = computed(() => known.value() ?? near());
/** The same, undefined until all of it is known. */
export const wholeProgramme = known.value;
/** The time when the hub last confirmed this device's copy, in milliseconds since 1970, by the hub's clock. */
export const programmeConfirmed = known.confirmed;
/** True if this device's copy is what the hub has now, not only one of an earlier visit or connection. */
export const isProgrammeCurrent = computed(() => line() === 'live' && known.isAnswered());
/** True if the hub cannot be had: some networks pass on its answers, though no live connection. */
export const isAway = computed(() => line() === 'lost' && !known.isAnswered());

const refresh = () => { known.refresh(); };

for (const name of ['day', 'settings', 'ask']) onNews(name, refresh);
onNews('line', () => { if (!isNear) refresh(); });
onNews('programme', (data, commit) => {
  known.heard(commit);
  refresh();
});

/** Shows the stored copy; the current one is requested once connected. */
export const start = () => { known.remember(); };

/**
 * The same, but without a copy the next days are shown first, if they have an event that is looked for: all of it is
 * requested once the page can be used.
 */
export async function startNear(isLookedFor) {
  isNear = true;
  await known.remember();
  const isKept = programme.peek() !== undefined;
  const answer = isKept ? undefined : await ask('near', NEAR, false).catch(() => {});
  if (answer?.events.some(isLookedFor)) {
    near.set(answer);
    await usable;
  }
  isNear = false;
  if (!isKept || line.peek() === 'live') refresh();
}
