// The pictures kept on this device, and what the hub said about them. A database of its own: no version of the pages
// and no service worker clears it. Its steps are numbered; a published one is never changed.

import { done } from '/done.js';
import { DATABASE } from '/portfolio/keeping/names.js';

const ANSWERS = 'answers'; // what the hub said, by its address
const ROWS = 'rows'; // {version, sha256, bytes} of each kept file, by its key
const FILES = 'files'; // {type, version, bytes} by the same key: an ArrayBuffer, which is much faster than a Blob
const STEPS = [
  (database) => { for (const name of [ANSWERS, ROWS, FILES]) database.createObjectStore(name); },
];

export class Store {
  #opening;

  constructor(name = DATABASE) { this.name = name; }

  #open() {
    this.#opening ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(this.name, STEPS.length);
      request.onupgradeneeded = ({ oldVersion }) => {
        for (const step of STEPS.slice(oldVersion)) step(request.result);
      };
      request.onsuccess = () => {
        const close = () => { this.#opening = undefined; };
        request.result.onversionchange = () => { // a newer page in another tab, or somebody who signs out
          request.result.close();
          close();
        };
        request.result.onclose = close; // the browser has cleared it
        resolve(request.result);
      };
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error('the database of another version is still open'));
    });
    this.#opening.catch(() => { this.#opening = undefined; });
    return this.#opening;
  }

  /** Runs `act(stores…)` in one transaction. Resolved with its result once all of it is stored. */
  async #within(mode, names, act) {
    const transaction = (await this.#open()).transaction(names, mode);
    const ended = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'));
    });
    ended.catch(() => {});
    const result = await act(...names.map((name) => transaction.objectStore(name)));
    await ended;
    return result;
  }

  answer(address) { return this.#within('readonly', [ANSWERS], (answers) => done(answers.get(address))); }

  putAnswer(address, body) { return this.#within('readwrite', [ANSWERS], (all) => done(all.put(body, address))); }

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
    return this.#within('readwrite', [FILES, ROWS], (files, rows) => Promise.all(found.flatMap(
      ({ key, row, type, bytes }) => [
        done(files.put({ type, version: row.version, bytes }, key)), done(rows.put(row, key)),
      ])));
  }

  remove(keys) {
    return this.#within('readwrite', [FILES, ROWS], (files, rows) => Promise.all(keys.flatMap((key) => [
      done(files.delete(key)), done(rows.delete(key)),
    ])));
  }

  /** Forgets the answers of all other addresses. */
  keepOnly(addresses) {
    const named = new Set(addresses);
    return this.#within('readwrite', [ANSWERS], async (answers) => {
      const older = (await done(answers.getAllKeys())).filter((address) => !named.has(address));
      await Promise.all(older.map((address) => done(answers.delete(address))));
    });
  }
}
