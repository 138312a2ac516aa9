// What a form of sending says, as the hub wants it. Pure.

import { isoHere } from '/words.js';

/**
 * The wish to send, of the form's values; `before` is what was sent and is to be changed. What was not changed in the
 * form is not sent: it may have been changed elsewhere. Without `galleries` and `pictures` its pictures stay as they
 * are.
 */
export function wishOf({ title, text, pin, until, download, details, isPrivate, galleries, pictures }, before) {
  const wish = { title: title.trim(), text: text.trim(), download };
  for (const [name, value] of Object.entries(wish)) if (value === before?.[name]) delete wish[name];
  if (!before || details !== Boolean(before.shows?.includes('place'))) {
    wish.shows = ['title', 'caption', ...(details ? ['taken', 'place'] : [])];
  }
  if (galleries) Object.assign(wish, { galleries, pictures, private: isPrivate });
  // Another PIN is asked of everybody, so one that stays is not sent.
  const digits = pin.replaceAll(/\s/g, '');
  if (digits !== (before?.pin ?? '')) wish.pin = digits || null;
  if (until !== dayOf(before?.until)) wish.until = endOf(until);
  return wish;
}

/** What a client may save: only of one's own uploads are originals here. What was chosen before stays a choice. */
export const downloadsOf = ({ source }, before) => ['none', '2048',
  ...(source?.kind === 'uploads' || before?.download === 'original' ? ['original'] : [])];

/** True if pictures may have places: no other source than Flickr tells any. */
export const hasPlaces = ({ source }) => source?.kind === 'flickr';

/** The end of a day of a date field, in seconds since 1970 by this device's zone; null for none. */
export function endOf(day) {
  if (!day) return null;
  const [year, month, date] = day.split('-').map(Number);
  return Math.floor(new Date(year, month - 1, date + 1).getTime() / 1000) - 1; // days with a change of clocks differ
}

/** The day for a date field; '' for none. */
export const dayOf = (instant) => (instant ? isoHere(new Date(instant)).slice(0, 10) : '');

/** The addresses in a line. */
export const addressesIn = (line) => line.split(/[,;\s]+/).filter(Boolean);

/** Marks by client, in the order in which they came: [{client, name, marks}]. */
export function byClient(marks) {
  const clients = new Map();
  for (const mark of marks) {
    if (!clients.has(mark.client)) clients.set(mark.client, { client: mark.client, name: mark.name, marks: [] });
    clients.get(mark.client).marks.push(mark);
  }
  return [...clients.values()];
}
