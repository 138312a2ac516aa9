// The pictures kept on this device, and what the hub said about them. A database of its own: no version of the pages
// and no service worker clears it.

import { withinDatabase } from '/database.js';
import { done } from '/done.js';
import { DATABASE } from '/portfolio/keeping/names.js';

const ANSWERS = 'answers'; // what the hub said, by its address
const ROWS = 'rows'; // {version, sha256, bytes} of each kept file, by its key
const FILES = 'files'; // {type, version, bytes} by the same key: an ArrayBuffer, which is much faster than a Blob
const STEPS = [
  (database) => { for (const name of [ANSWERS, ROWS, FILES]) database.createObjectStore(name); },
];

export class Store {
  #within;

  constructor(name = DATABASE) { this.#within = withinDatabase(name, STEPS); }

  answer(address) { return this.#within('readonly', [ANSWERS], (answers) => done(answers.get(address))); }

  putAnswer(address, body) { return this.#within('readwrite', [ANSWERS], (all) => done(all.put(body, address))); }

  /** Changes an answer as it is by now, also by another tab: `change` is given it, or undefined. */
  changeAnswer(address, change) {
    return this.#within('readwrite', [ANSWERS], (answers) => done(answers.get(address)),
      (before, answers) => done(answers.put(change(before), address)));
  }

  /** The rows of all kept files: a Map by their keys. */
  async rows() {
    const [keys, rows] = await this.#within('readonly', [ROWS], (all) => Promise.all([
      done(all.getAllKeys()), done(all.getAll())]));
    return new Map(keys.map((key, index) => [key, rows[index]]));
  }

  /** The keys of the files themselves, which can be fewer than the rows if the browser lost some. */
  fileKeys() { return this.#within('readonly', [FILES], (files) => done(files.getAllKeys())); }

  file(key) { return this.#within('readonly', [FILES], (files) => done(files.get(key))); }

  /**
   * Keeps files of [{key, row, type, bytes}], all of them or none. Throws a QuotaExceededError if the device is full.
   */
  put(found) {
    return this.#within('readwrite', [FILES, ROWS],
      (files) => Promise.all(found.map(({ key, row, type, bytes }) =>
        done(files.put({ type, version: row.version, bytes }, key)))),
      (_, files, rows) => Promise.all(found.map(({ key, row }) => done(rows.put(row, key)))));
  }

  remove(keys) {
    return this.#within('readwrite', [FILES, ROWS], (files, rows) => Promise.all(keys.flatMap((key) => [
      done(files.delete(key)), done(rows.delete(key)),
    ])));
  }

  /** Forgets the answers of all other addresses. */
  keepOnly(addresses) {
    const named = new Set(addresses);
    return this.#within('readwrite', [ANSWERS], (answers) => done(answers.getAllKeys()), (all, answers) =>
      Promise.all(all.filter((address) => !named.has(address)).map((address) => done(answers.delete(address)))));
  }
}
