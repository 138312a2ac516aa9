// The elements of a long list: few are made, and each shows one entry after the other. Knows no page.

/**
 * `make()` makes an element, `bind(cell, index)` has it show the entry at an index, `free(cell)` lets go of what it
 * showed, `keyOf(index)` is the entry's own name: an entry that moves to another index keeps its element.
 */
export class Recycler {
  #used = new Map(); // element by key
  #free = [];
  #shown = '';

  constructor({ make, bind, free, keyOf }) {
    Object.assign(this, { make, bind, free, keyOf });
  }

  /** The element that shows the entry with this key. */
  at(key) { return this.#used.get(key); }

  get cells() { return this.#used.values(); }

  get size() { return this.#used.size; }

  /**
   * Shows the entries in [first, end), and `pinned` wherever it is (-1 for none). With `isNew`, those that are shown
   * already are bound anew. Returns true if anything was done.
   */
  show(first, end, pinned = -1, isNew = false) {
    const wanted = `${first} ${end} ${pinned}`;
    if (wanted === this.#shown && !isNew) return false;
    this.#shown = wanted;
    const indexes = [];
    for (let index = first; index < end; index += 1) indexes.push(index);
    if (pinned >= 0 && (pinned < first || pinned >= end)) indexes.push(pinned);
    const keys = indexes.map((index) => this.keyOf(index));
    const stays = new Set(keys);
    for (const [key, cell] of this.#used) {
      if (stays.has(key)) continue;
      this.#used.delete(key);
      this.free(cell);
      this.#free.push(cell);
    }
    keys.forEach((key, place) => {
      let cell = this.#used.get(key);
      if (cell && !isNew) return;
      if (!cell) {
        cell = this.#free.pop() ?? this.make();
        this.#used.set(key, cell);
      }
      this.bind(cell, indexes[place]);
    });
    return true;
  }
}
