// Merges lists of favourites, in the same way as the hub: of each event the latest record counts, and of two at the
// same time the one that keeps it. The result does not depend on the order or the number of merges.

const instant = ({ at }) => Date.parse(at);

const text = (seen) => (seen ? JSON.stringify(
  [seen.title, seen.start, seen.end, seen.location ?? null, seen.status].concat(seen.all_day ?? [])) : '');

/** The record that takes precedence, of two for an event. */
export function winner(one, other) {
  if (!one || !other) return one ?? other;
  if (instant(one) !== instant(other)) return instant(one) > instant(other) ? one : other;
  if (one.kept !== other.kept) return one.kept ? one : other;
  return text(one.seen) >= text(other.seen) ? one : other; // any rule that is the same on all devices
}

/** Merges two lists (records by the event's id). */
export function merged(one, other) {
  const all = { ...one };
  for (const [id, record] of Object.entries(other)) all[id] = winner(all[id], record);
  return all;
}

/** The time for a new record: now, but after every known record of this event. */
export const momentAfter = (before, now) =>
  new Date(Math.max(now, before ? instant(before) + 1 : 0)).toISOString();

/** The properties of an event stored when it is marked, to show later changes. Versions up to 1.0.5 kept no all_day. */
export const snapshot = ({ title, start, end, location, status, all_day }) =>
  ({ title, start, end, location: location ?? null, status, all_day });

/** The properties that have changed: 'start', 'end', 'title', 'location', 'status', 'all_day'. */
export function changes(seen, event) {
  if (!seen) return [];
  const same = {
    start: Date.parse(seen.start) === Date.parse(event.start),
    end: Date.parse(seen.end) === Date.parse(event.end),
    title: seen.title === event.title,
    location: (seen.location ?? '') === (event.location ?? ''),
    status: seen.status === event.status,
    all_day: (seen.all_day ?? event.all_day) === event.all_day,
  };
  return Object.keys(same).filter((name) => !same[name]);
}

/** The records of events, not over, that are not in the programme as this device has it. */
export function missing(records, { events }, now) {
  const ids = new Set(events.map(({ id }) => id));
  return records.filter(({ event, seen }) => !ids.has(event) && seen && Date.parse(seen.end) > now);
}

/**
 * Those of the missing ones that no calendar has any more: as the hub has `said` by the events' ids, which knows all
 * of them. Where it was not asked, what this device has counts: it says nothing of what begins after `until`, and
 * nothing at all while a calendar is unread.
 */
export function goneOf(records, said, { sources }, until) {
  const isRead = !sources?.some(({ as_of }) => !as_of);
  return records.filter(({ event, seen }) => said.get(event) ?? (isRead && Date.parse(seen.start) < until));
}

/**
 * Merges the hub's answer into this device's list. `sent` are the records that the hub has now received: for them its
 * answer counts, unless the person has changed them again meanwhile.
 */
export function answered(mine, sent, theirs) {
  const all = { ...mine };
  for (const { event, kept, at, seen } of theirs) {
    const record = { event, kept, at, seen, sent: true };
    const here = all[event];
    const asSent = sent.some((one) => one.event === event && one.at === here?.at && one.kept === here?.kept);
    all[event] = asSent || winner(record, here) === record ? record : here;
  }
  // The hub has forgotten it (an old removal), but has received it.
  for (const one of sent) if (all[one.event]?.at === one.at) all[one.event] = { ...all[one.event], sent: true };
  return all;
}

const YEAR = 366 * 86_400_000;

/** The list without removals of events that ended over a year ago. */
export const pruned = (list, now) => Object.fromEntries(Object.entries(list)
  .filter(([, { kept, at, seen }]) => kept || (Date.parse(seen?.end ?? at) || 0) > now - YEAR));
