// Which pictures of an album are seen, and in which order. Pure.

import { momentOf, takenAt } from '/albums/album/gallery/groups.js';
import { halves } from '/albums/album/gallery/halves.js';

const SEEN = new Set(['shown', 'making', 'failed']);

/**
 * The pictures that a reader may see here, as all pages count them: those that are shown, for hosts also what cannot be
 * shown (others are not told of it), and their own whatever their state is. The film of a live photo is seen with its
 * picture.
 */
export function seen(pictures) {
  const { hidden } = halves(pictures);
  return pictures.filter((one) => (SEEN.has(one.state ?? 'shown') || one.mine) && !hidden.has(one.id));
}

/** How many pictures an album has for its reader: until all are known, as many as the hub has said. */
export const numberOf = (album) => (album.isWhole() ? null : album.details()?.counts?.pictures)
  ?? seen([...album.pictures().values()]).length;

/**
 * The pictures for `which` ('all', 'mine' or 'hearts'), the person `by` ('' for all) and the time `when` ({from, until}
 * in milliseconds; null for all): newest first; for hearts, the most liked first. `pictures` are in the order of their
 * arrival; with `isByTaking` the time is that of taking: what was taken last comes first, and at the end those of which
 * nobody knows.
 */
export function chosen(pictures, which = 'all', by = '', when = null, isByTaking = false) {
  const moments = new Map(pictures.map((one) => [one, isByTaking ? takenAt(one) ?? -Infinity : momentOf(one)]));
  const isWithin = (one) => !when || (moments.get(one) >= when.from && moments.get(one) < when.until);
  let found = seen(pictures).filter((one) => (!by || one.by?.id === by) && isWithin(one));
  if (which === 'mine') found = found.filter((one) => one.mine);
  if (which === 'hearts') {
    return found.filter((one) => one.hearts > 0).reverse().sort((one, other) => other.hearts - one.hearts);
  }
  found.reverse();
  const isFalling = found.every((one, index) => index === 0 || moments.get(found[index - 1]) >= moments.get(one));
  return isFalling ? found : found.sort((one, other) => moments.get(other) - moments.get(one) || 0);
}

/** Those who have pictures here: [{id, name, count}], by their number of pictures. */
export function people(pictures) {
  const found = new Map();
  for (const one of seen(pictures)) {
    if (!one.by?.id) continue;
    const person = found.get(one.by.id) ?? { id: one.by.id, name: one.by.name, count: 0 };
    person.count += 1;
    found.set(person.id, person);
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
}
