// Which pictures of an album are seen, and in which order. Pure.

import { momentOf } from '/albums/album/gallery/groups.js';

const SEEN = new Set(['shown', 'making']);

/** The pictures that a reader may see here: those that are shown, and their own whatever their state is. */
const seen = (one) => SEEN.has(one.state ?? 'shown') || one.mine;

/**
 * The pictures for `which` ('all', 'mine' or 'hearts') and the person `by` ('' for all): newest first; for hearts, the
 * most liked first. `pictures` are in the order of their arrival.
 */
export function chosen(pictures, which = 'all', by = '') {
  let found = pictures.filter((one) => seen(one) && (!by || one.by?.id === by));
  if (which === 'mine') found = found.filter((one) => one.mine);
  if (which === 'hearts') {
    return found.filter((one) => one.hearts > 0).reverse().sort((one, other) => other.hearts - one.hearts);
  }
  found.reverse();
  const isFalling = found.every((one, index) => index === 0 || momentOf(found[index - 1]) >= momentOf(one));
  return isFalling ? found : found.sort((one, other) => momentOf(other) - momentOf(one));
}

/** Those who have pictures here: [{id, name, count}], by their number of pictures. */
export function people(pictures) {
  const found = new Map();
  for (const one of pictures) {
    if (!seen(one) || !one.by?.id) continue;
    const person = found.get(one.by.id) ?? { id: one.by.id, name: one.by.name, count: 0 };
    person.count += 1;
    found.set(person.id, person);
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
}
