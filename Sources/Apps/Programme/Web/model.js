// The programme as this page knows it, and how it is kept up to date.

import { onNews, subject } from '/live.js';

const HOUR = 3_600_000;
export const DAYS_AHEAD = 400; // that the programme is asked for

const date = (at) => new Date(at).toISOString().slice(0, 10);

// From yesterday, by a margin that holds in every time zone: what began yesterday may not be over. At the same time
// from the first week of this month, which the month view shows whole.
const url = () => {
  const margin = Date.now() - 36 * HOUR;
  const from = Date.parse(`${date(margin).slice(0, 8)}01`) - 7 * 24 * HOUR;
  return `/api/v1/space/events?from=${date(from)}&to=${date(Date.now() + DAYS_AHEAD * 24 * HOUR)}`;
};

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The same events stay the same objects: calendars that were looked at again are no reason to draw the page anew. */
function take(body, before) {
  if (same(body, before)) return before;
  return same(body.events, before?.events) ? { ...body, events: before.events } : body;
}

const known = subject('programme', url, { take, room: 'programme' });

/** {events, sources}; undefined until it is known. */
export const programme = known.value;
/** When this device's copy was last known to be what the hub says, in milliseconds since 1970. */
export const programmeConfirmed = known.confirmed;

const refresh = () => { known.refresh(); };

for (const name of ['line', 'day', 'settings']) onNews(name, refresh);
onNews('programme', (data, commit) => {
  known.heard(commit);
  refresh();
});

/** Shows what is remembered; what is true is asked for as soon as the line is there. */
export function start() {
  known.remember();
}
