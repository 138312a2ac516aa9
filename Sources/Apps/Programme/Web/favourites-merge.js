// How lists of favourites become one, the same here and on the hub: for each event the latest word counts, and of two
// at the same moment the one that keeps. In whatever order lists come together, and however often, the end is the same.

const instant = ({ at }) => Date.parse(at);

const text = (seen) => (seen
  ? JSON.stringify([seen.title, seen.start, seen.end, seen.location ?? null, seen.status]) : '');

/** The one of two records of an event that counts. */
export function winner(one, other) {
  if (!one || !other) return one ?? other;
  if (instant(one) !== instant(other)) return instant(one) > instant(other) ? one : other;
  if (one.kept !== other.kept) return one.kept ? one : other;
  return text(one.seen) >= text(other.seen) ? one : other; // anything that all devices decide alike
}

/** Two lists (records by the event's id) as one. */
export function merged(one, other) {
  const all = { ...one };
  for (const [id, record] of Object.entries(other)) all[id] = winner(all[id], record);
  return all;
}

/** When a new word is given: now, but after every word about this event that this device has heard. */
export const momentAfter = (before, now) =>
  new Date(Math.max(now, before ? instant(before) + 1 : 0)).toISOString();

/** What a person sees of an event when they mark it, to tell later what has changed since. */
export const snapshot = ({ title, start, end, location, status }) =>
  ({ title, start, end, location: location ?? null, status });

/** Which of what was seen is different now: 'start', 'end', 'title', 'location', 'status'. */
export function changes(seen, event) {
  if (!seen) return [];
  const same = {
    start: Date.parse(seen.start) === Date.parse(event.start),
    end: Date.parse(seen.end) === Date.parse(event.end),
    title: seen.title === event.title,
    location: (seen.location ?? '') === (event.location ?? ''),
    status: seen.status === event.status,
  };
  return Object.keys(same).filter((name) => !same[name]);
}

/**
 * What the hub answered becomes part of what this device has. `sent` are the records of which the hub now has heard:
 * for them its word counts, unless the person has spoken again meanwhile.
 */
export function answered(mine, sent, theirs) {
  const all = { ...mine };
  for (const { event, kept, at, seen } of theirs) {
    const record = { event, kept, at, seen, sent: true };
    const here = all[event];
    const asSent = sent.some((one) => one.event === event && one.at === here?.at && one.kept === here?.kept);
    all[event] = asSent || winner(record, here) === record ? record : here;
  }
  // The hub has forgotten it (a removal of long ago), but it did hear it.
  for (const one of sent) if (all[one.event]?.at === one.at) all[one.event] = { ...all[one.event], sent: true };
  return all;
}

const YEAR = 366 * 86_400_000;

/** Without removals of events that were over a year ago. */
export const pruned = (list, now) => Object.fromEntries(Object.entries(list)
  .filter(([, { kept, at, seen }]) => kept || (Date.parse(seen?.end ?? at) || 0) > now - YEAR));
