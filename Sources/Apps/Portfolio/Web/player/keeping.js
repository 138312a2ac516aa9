// Keeps all that was sent on this device: what is missing is fetched, small pictures first, and counts when its SHA-256
// is the one that the hub named. What is no longer sent is removed, and told.

import { signal } from '/ui.js';
import { checkAll, checkCount, sha256Of } from '/portfolio/keeping/check.js';
import { isMobile } from '/portfolio/keeping/reckoning.js';
import { filesOf, missingOf, withdrawnOf } from '/portfolio/player/book.js';

const AT_ONCE = 3; // files fetched at the same time
const AGAIN = 20_000; // milliseconds until the hub is tried again
const CHECKED = 'checked'; // when all of it was counted and hashed last
const CHECK_AFTER = 7 * 86_400_000; // milliseconds

export class Keeping {
  /**
   * 'begins', 'keeping', 'whole', 'short' (the hub lacks some), 'waiting', 'full', 'mobile' (on mobile data the large
   * ones come when somebody says so), 'off' (nothing is kept here).
   */
  state = signal('begins');

  /** {kept, all} of the files in their large size, which are what one counts, and the bytes still to come. */
  sum = signal({ kept: 0, all: 0, missing: 0 });

  /** The number of pictures that were taken back since the last time. */
  withdrawn = signal(0);
  #rows = new Map();
  #files = [];
  #failed = new Set();
  #running = null;
  #again = 0;
  #isStale = false;
  #isMobileToo = false;

  constructor(source, {
    canKeep = globalThis.isSecureContext, hash = sha256Of, now = Date.now,
    connection = () => globalThis.navigator?.connection,
  } = {}) {
    Object.assign(this, { source, store: source.store, canKeep, hash, now, connection });
  }

  /** Looks what is here already. */
  async begin() {
    if (!this.canKeep) return void this.state.set('off');
    try {
      await checkCount(this.store);
      this.#rows = await this.store.rows();
    } catch {
      this.state.set('off');
    }
  }

  /** The portfolio as it is now; `isLive` if the hub itself has just said so: only then is anything removed. */
  async follow(book, isLive) {
    if (this.state.peek() === 'off') return;
    this.#files = filesOf(book);
    if (isLive) {
      const { keys, pictures } = withdrawnOf(book, this.#files, this.#rows);
      if (keys.length) {
        await this.store.remove(keys);
        for (const key of keys) this.#rows.delete(key);
      }
      if (pictures) this.withdrawn.set(this.withdrawn.peek() + pictures);
    }
    this.#count();
    this.go();
  }

  /** Removes every picture: the link has ended. */
  async empty() {
    clearTimeout(this.#again);
    this.#files = [];
    const rows = await this.store.rows().catch(() => new Map());
    await this.store.remove([...rows.keys()]).catch(() => {});
    this.#rows.clear();
    this.#count();
  }

  #count() {
    const large = this.#files.filter(({ size }) => size === '2048');
    const kept = large.filter(({ key, sha256 }) => this.#rows.get(key)?.sha256 === sha256);
    const missing = missingOf(this.#files, this.#rows).reduce((sum, { bytes }) => sum + bytes, 0);
    this.sum.set({ kept: kept.length, all: large.length, missing });
  }

  /** Goes on with what is missing; one turn at a time. */
  go() {
    if (this.state.peek() === 'off') return undefined;
    this.#isStale = true;
    clearTimeout(this.#again);
    this.#running ??= this.#run().catch(() => this.#later()).finally(() => {
      this.#running = null;
      if (this.#isStale) this.go(); // something came while it ended
    });
    return this.#running;
  }

  /** Somebody wants all of it, also on mobile data. */
  goMobile() {
    this.#isMobileToo = true;
    this.go();
  }

  #later() {
    this.state.set('waiting');
    this.#again = setTimeout(() => this.go(), AGAIN);
  }

  async #run() {
    while (this.#isStale) {
      this.#isStale = false;
      const isSparing = !this.#isMobileToo && isMobile(this.connection());
      const all = missingOf(this.#files, this.#rows).filter(({ key, sha256 }) => !this.#failed.has(key + sha256));
      const queue = isSparing ? all.filter(({ size }) => size === '320') : [...all];
      if (queue.length) this.state.set('keeping');
      while (queue.length && !this.#isStale) {
        const made = await Promise.all(queue.splice(0, AT_ONCE).map((file) => this.#fetch(file)));
        if (made.includes('later')) return void this.#later();
        if (!await this.#put(made.filter(Boolean))) return void this.state.set('full');
      }
      if (this.#isStale) continue;
      if (isSparing && all.some(({ size }) => size !== '320')) return void this.state.set('mobile');
      this.state.set(missingOf(this.#files, this.#rows).length ? 'short' : 'whole');
      if (this.state.peek() === 'whole') await this.#check();
    }
  }

  async #fetch(file) {
    const { key, sha256, version, bytes: length } = file;
    try {
      const { bytes, type } = await this.source.fetched(file, file.size);
      if (bytes.byteLength === length && await this.hash(bytes) === sha256) {
        return { key, row: { version, sha256, bytes: length }, type, bytes };
      }
    } catch (error) {
      if (!error.isRefused) return 'later';
    }
    this.#failed.add(key + sha256);
    return null;
  }

  /** Returns false if the device is full; what fits is kept. */
  async #put(made) {
    const wanted = new Set(this.#files.map(({ key }) => key)); // some may be taken back meanwhile
    const here = made.filter(({ key }) => wanted.has(key));
    if (!here.length) return true;
    try {
      await this.store.put(here);
    } catch (error) {
      if (error?.name !== 'QuotaExceededError') throw error;
      if (here.length === 1) return false;
      for (const one of here) if (!await this.#put([one])) return false;
      return true;
    }
    for (const { key, row } of here) this.#rows.set(key, row);
    this.#count();
    return true;
  }

  /** Now and then all of it is counted and hashed: browsers lose files. */
  async #check() {
    const last = await this.store.answer(CHECKED).catch(() => 0) ?? 0;
    if (this.now() - last < CHECK_AFTER) return;
    const { lost } = await checkAll(this.store, { hash: this.hash });
    await this.store.putAnswer(CHECKED, this.now());
    for (const key of lost) this.#rows.delete(key);
    this.#count();
    this.#isStale ||= lost.length > 0;
  }

  end() { clearTimeout(this.#again); }
}
