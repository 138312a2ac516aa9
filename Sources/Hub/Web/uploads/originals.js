// The pictures on their way, on this device: their originals until the hub has said that it has them. IndexedDB, since
// it takes what is as large as a video, also without HTTPS. A database of its own: what others clear in theirs does not
// concern an original that was not sent.

import { withinDatabase } from '/database.js';
import { done } from '/done.js';

const ITEMS = 'items'; // a row for each picture, by its id; written when its bytes are complete
const PARTS = 'parts'; // its bytes, by [id, number]: one Blob, or ArrayBuffers where a browser refuses Blobs
const STEPS = [
  (database) => {
    database.createObjectStore(ITEMS, { keyPath: 'id' });
    database.createObjectStore(PARTS);
  },
];

/** Bytes of an ArrayBuffer. */
const PART = 4 * 1024 * 1024;

const all = (id) => IDBKeyRange.bound([id, 0], [id, Infinity]);

export class Originals {
  #within;
  #held = new OriginalsInMemory(); // those for which the device has no room

  /** `name` is that of the database, one for each room. */
  constructor(name) {
    const within = withinDatabase(name, STEPS);
    this.#within = (mode, act, then) => within(mode, [ITEMS, PARTS], act, then);
  }

  /** The rows of all places. */
  async all() {
    const kept = await this.#within('readonly', (items) => done(items.getAll()));
    return [...kept, ...await this.#held.all()];
  }

  /** True if it is still kept. */
  async has(id) {
    return await this.#held.has(id) || this.#within('readonly', async (items) => (await done(items.count(id))) > 0);
  }

  /** Holds a file that could not be added, as long as the page. Throws if it cannot be read, and so not be sent. */
  async hold(row, file) {
    await file.slice(0, 1).arrayBuffer();
    return this.#held.add({ ...row, isHeld: true }, file);
  }

  /** Keeps a file and its row, the row last, so that what is found is whole. Resolved with the row as it is kept. */
  async add(row, file) {
    const whole = { ...row, partSize: Math.max(file.size, 1) };
    try {
      await this.#within('readwrite', (_, parts) => done(parts.put(file, [row.id, 0])),
        (_, items) => done(items.put(whole)));
      return whole;
    } catch (error) {
      if (error?.name === 'QuotaExceededError') throw error;
      return this.#addParts({ ...row, partSize: PART }, file);
    }
  }

  async #addParts(row, file) {
    try {
      for (let from = 0, number = 0; from < file.size; from += PART, number += 1) {
        const bytes = await file.slice(from, from + PART).arrayBuffer(); // one at a time: a phone has little memory
        await this.#within('readwrite', (_, parts) => done(parts.put(bytes, [row.id, number])));
      }
      await this.#within('readwrite', (items) => done(items.put(row)));
      return row;
    } catch (error) {
      await this.remove(row.id).catch(() => {});
      throw error;
    }
  }

  /** Changes a row; one that is gone stays so. */
  async change(id, fields) {
    if (await this.#held.has(id)) return this.#held.change(id, fields);
    return this.#within('readwrite', (items) => done(items.get(id)),
      (before, items) => before && done(items.put({ ...before, ...fields })));
  }

  async remove(id) {
    if (await this.#held.has(id)) return this.#held.remove(id);
    return this.#within('readwrite', (items, parts) => {
      items.delete(id);
      return done(parts.delete(all(id)));
    });
  }

  /** {size, slice(from, to)} of a kept file; a slice is a Blob. */
  source(row) {
    const { id, size, partSize } = row;
    if (row.isHeld) return this.#held.source(row);
    return {
      size,
      slice: async (from, to) => {
        const found = [];
        for (let number = Math.floor(from / partSize); number * partSize < to; number += 1) {
          const part = await this.#within('readonly', (_, parts) => done(parts.get([id, number])));
          if (part === undefined) throw new Error(`part ${number} of a kept picture is missing`);
          const start = number * partSize;
          found.push(part.slice(Math.max(from - start, 0), Math.min(to - start, partSize)));
        }
        return new Blob(found);
      },
    };
  }
}

/** A kept file, as it was added. */
export const fileOf = async (originals, row) => new File([await originals.source(row).slice(0, row.size)], row.name,
  { type: row.type });

/** True for one that is here, and cannot be read any more: a phone has taken its file away, or lost what was kept. */
export async function isLost(originals, row) {
  if (!(await originals.has(row.id).catch(() => false))) return false; // the storage does not answer just now
  return originals.source(row).slice(0, 1).then((part) => part.arrayBuffer()).then(() => false, () => true);
}

/** The same without storage: pictures last as long as the page, and the page has to say so. */
export class OriginalsInMemory {
  #rows = new Map();
  #files = new Map();
  isFleeting = true;

  async all() { return [...this.#rows.values()]; }

  async has(id) { return this.#rows.has(id); }

  async add(row, file) {
    this.#files.set(row.id, file);
    this.#rows.set(row.id, row);
    return row;
  }

  async change(id, fields) {
    if (this.#rows.has(id)) this.#rows.set(id, { ...this.#rows.get(id), ...fields });
  }

  async remove(id) {
    this.#rows.delete(id);
    this.#files.delete(id);
  }

  source({ id, size }) {
    return { size, slice: async (from, to) => this.#files.get(id).slice(from, to) };
  }
}
