// The page's copy of the programme, and its updates.

import { onNews, subject } from '/live.js';

const HOUR = 3_600_000;
export const DAYS_AHEAD = 400; // requested from the hub

const date = (at) => new Date(at).toISOString().slice(0, 10);

// From yesterday on, which is early enough in every time zone, since yesterday's events may not be over; and from the
// first week of this month on, which the month view shows.
const url = () => {
  const margin = Date.now() - 36 * HOUR;
  const from = Date.parse(`${date(margin).slice(0, 8)}01`) - 7 * 24 * HOUR;
  return `/api/v1/space/events?from=${date(from)}&to=${date(Date.now() + DAYS_AHEAD * 24 * HOUR)}`;
};

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Unchanged events stay the same objects, so that nothing is redrawn after calendars were read again. */
function take(body, before) {
  if (same(body, before)) return before;
  return same(body.events, before?.events) ? { ...body, events: before.events } : body;
}

const known = subject('programme', url, { take, room: 'programme' });

/** {events, sources}; undefined until known. */
export const programme = known.value;
/** The time when the hub last confirmed this device's copy, in milliseconds since 1970. */
export const programmeConfirmed = known.confirmed;

const refresh = () => { known.refresh(); };

for (const name of ['line', 'day', 'settings']) onNews(name, refresh);
onNews('programme', (data, commit) => {
  known.heard(commit);
  refresh();
});

/** Shows the stored copy; the current one is requested once connected. */
export function start() {
  known.remember();
}
