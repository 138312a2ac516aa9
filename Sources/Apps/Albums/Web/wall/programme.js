// The next picture on the wall, and its moment: new pictures in the order in which they came, else one by chance. Pure:
// pictures, time and chance are passed in.

import { halves } from '/albums/album/gallery/halves.js';
import { next } from '/albums/wall/choice.js';

/** In milliseconds, and pictures. */
export const LIMITS = {
  print: 8_000, // for which a picture lies on the others
  rest: 4_000, // between two by chance
  waiting: 40, // new ones that are still shown one by one; of more at a time, the latest
  remembered: 200,
};

const visible = (one) => (one.state ?? 'shown') === 'shown' && (one.sizes?.[1600] ?? one.sizes?.[320]);

/**
 * {pictures, films} of an album for its wall, as `halves` has the films of live photos; null until they are known. Of
 * an album that this screen is not in any more, nothing is shown.
 */
export function onWall(album) {
  const isIn = album.state() === 'in'; // read whatever else is known, so that its change is followed
  if (!album.isWhole()) return null;
  const all = isIn ? [...album.pictures().values()] : [];
  const { films, hidden } = halves(all);
  return { pictures: all.filter((one) => visible(one) && !hidden.has(one.id)), films };
}

export class Programme {
  #seen = null;
  #waiting = [];
  #shown = [];

  constructor(random = Math.random) { this.random = random; }

  /** The number of new pictures that are still to be shown. */
  get waiting() { return this.#waiting.length; }

  /** The pictures that there are now, in the order of their arrival. What was there at first is not new. */
  take(pictures) {
    const ids = new Set(pictures.map(({ id }) => id));
    if (this.#seen) {
      const fresh = pictures.filter(({ id }) => !this.#seen.has(id)).map(({ id }) => id);
      this.#waiting = [...this.#waiting, ...fresh].filter((id) => ids.has(id)).slice(-LIMITS.waiting);
    }
    this.#seen = ids;
    this.pictures = pictures;
  }

  /** True while this picture may be shown. */
  has(id) { return Boolean(this.#seen?.has(id)); }

  /** The next one: {picture, isNew}, or null if there is nothing to show. */
  next() {
    const id = this.#waiting.shift();
    const picture = id ? this.pictures.find((one) => one.id === id) : next(this.pictures ?? [], this.#shown,
      this.random);
    if (!picture) return null;
    this.#shown = [...this.#shown, picture.id].slice(-LIMITS.remembered);
    return { picture, isNew: Boolean(id) };
  }
}
