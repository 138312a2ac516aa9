// Keeps the portfolios on this device, in the background: fetches what is missing, small pictures first, checks each
// file's SHA-256, and says how far it is. One tab does it. What the browser has is passed in as `world`.

import { computed, effect, signal } from '/ui.js';
import { wasInside } from '/keep.js';
import { checkAll, checkCount, sha256Of } from '/portfolio/keeping/check.js';
import { mayKeep, nextOf, reckon, wanted } from '/portfolio/keeping/reckoning.js';

const AT_ONCE = 4; // files fetched at the same time
const AGAIN = 20_000; // milliseconds until the hub is tried again
const PATIENCE = 60_000; // milliseconds for one file
const SLOWEST = 50; // bytes in each millisecond more, which a film needs over a slow line
const TELLING = 1_000; // milliseconds at least between two tellings of what was kept: all files are reckoned for each
const LOCK = 'portfolio-keeping';

/** Why a file was not fetched: 'gone' (the hub has none), 'wrong' (not as promised), 'outside', 'later', 'lost'. */
class NotFetched extends Error {
  constructor(why, seconds = 0) {
    super(why);
    Object.assign(this, { why, seconds });
  }
}

/** A small one may be with the browser, which has shown it: its address is of one version. */
async function fetchFile(file, { fetch, hash }, cache = file.size === '320' ? 'default' : 'no-store') {
  const { url, sha256, bytes: length } = file;
  const signal = AbortSignal.timeout(PATIENCE + Math.ceil(length / SLOWEST));
  // This mode has the worker pass it on.
  const answer = await fetch(url, { mode: 'same-origin', cache, signal })
    .catch(() => { throw new NotFetched('lost'); });
  if (answer.status === 401 || answer.status === 403) throw new NotFetched('outside');
  if (answer.status === 429 || answer.status >= 500) {
    throw new NotFetched('later', Number(answer.headers.get('Retry-After')) || 0);
  }
  // One without a code is of a web server before the hub, which may answer 404 while that starts.
  if (!answer.ok) throw new NotFetched((await answer.json().catch(() => ({}))).code ? 'gone' : 'later');
  const bytes = await answer.arrayBuffer().catch(() => { throw new NotFetched('lost'); });
  if (bytes.byteLength !== length || await hash(bytes) !== sha256) {
    if (cache === 'default') return fetchFile(file, { fetch, hash }, 'no-store'); // the browser's may be damaged
    throw new NotFetched('wrong');
  }
  return { bytes, type: answer.headers.get('Content-Type') ?? 'image/jpeg' };
}

/** Runs `act` for each of a list, some at once. Resolved with [{value} or {error}]. */
async function some(list, act) {
  const found = [];
  let at = 0;
  const one = async () => {
    while (at < list.length) {
      const index = at;
      at += 1;
      found[index] = await act(list[index]).then((value) => ({ value }), (error) => ({ error }));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return found;
}

const browser = {
  fetch: (...asked) => fetch(...asked),
  hash: sha256Of,
  wait: (act, time) => {
    const timer = setTimeout(act, time);
    return () => clearTimeout(timer);
  },
  alone: async (act, waits) => {
    if (!navigator.locks) return void await act();
    const isDone = await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
      if (lock) await act();
      return lock !== null;
    });
    if (isDone) return;
    waits();
    await navigator.locks.request(LOCK, act);
  },
  conditions: () => ({
    isTrusted: isSecureContext && 'serviceWorker' in navigator, isOnline: navigator.onLine,
    connection: navigator.connection,
  }),
  isInside: wasInside,
};

export class Keeper {
  /**
   * 'begins', 'keeping', 'whole' (all is here), 'short' (all but what failed), 'full' (the device is), 'waiting' (for
   * the hub), 'outside', 'empty', 'elsewhere' (another tab does it), or why nothing is fetched (mayKeep).
   */
  state = signal('begins');

  /** The rows of all that is kept, by key; `turn` counts up with changes of it, with several at once while it keeps. */
  rows = new Map();
  turn = signal(0);

  /** Why files could not be fetched, by key. */
  failed = signal(new Map());

  /** The check of all that is kept: {done, all} while it runs, then {counted, small, large, lost: {small, large}}. */
  check = signal(null);

  #running = false;
  #isStale = true;
  #wake = () => {};
  #isTold = true; // false while `turn` is behind
  #toldAt = 0;
  #lost = []; // the keys of files that were not there at the start, until a check tells them

  constructor({ store, library, settings, world = browser }) {
    Object.assign(this, { store, library, settings, world });
    this.files = computed(() => wanted(library.known(), new Set(settings().first)));
    this.sum = computed(() => (this.turn(), reckon(this.files(), this.rows)));
  }

  /** Begins, and goes on with every change of what is wanted. */
  async start() {
    this.rows = await this.store.rows().catch(() => new Map());
    const lost = await checkCount(this.store).catch(() => []);
    for (const key of lost) this.rows.delete(key);
    this.#lost = lost;
    this.#changed();
    return effect(() => {
      this.files();
      this.settings();
      this.library.isWhole();
      this.go();
    });
  }

  #changed() {
    this.#isTold = true;
    this.#toldAt = performance.now();
    this.turn.set(this.turn.peek() + 1);
  }

  /** Has everybody, and `sum`, know what was kept until now. */
  #tell() { if (!this.#isTold) this.#changed(); }

  /** Looks again what is to be done. */
  go() {
    this.#isStale = true;
    this.#wake();
    if (this.#running) return;
    this.#running = true;
    let hasWaited = false;
    const run = async () => {
      if (hasWaited || this.state.peek() === 'off') { // another tab may have kept or removed some meanwhile
        this.rows = await this.store.rows();
        this.#changed();
      }
      await this.#run();
    };
    const waits = () => {
      hasWaited = true;
      this.state.set('elsewhere');
    };
    Promise.resolve(this.world.alone(run, waits)).catch((error) => {
      console.warn(error);
      this.state.set('waiting');
    }).finally(() => {
      this.#tell();
      this.#running = false;
      if (this.#isStale) this.go(); // something came while it ended
    });
  }

  /** Tries again what failed, also if the device was full. */
  again() {
    this.failed.set(new Map());
    this.go();
  }

  #may() {
    if (!this.world.isInside()) return 'outside';
    const { isKept, isMobileToo } = this.settings.peek();
    return mayKeep({ isOn: isKept, isMobileToo, ...this.world.conditions() });
  }

  /** A file is no failure any more when nothing asks for it, or when there is another one in its place. */
  #forgetFailed() {
    if (!this.failed.peek().size) return;
    const missing = new Set(this.sum.peek().missing.map(({ key, sha256 }) => key + sha256));
    const failed = [...this.failed.peek()].filter(([key, { sha256 }]) => missing.has(key + sha256));
    if (failed.length < this.failed.peek().size) this.failed.set(new Map(failed));
  }

  async #run() {
    while (this.#isStale) {
      this.#isStale = false;
      this.#tell();
      await this.#forget(); // first: on a full device nothing else makes room
      const may = this.#may();
      if (may !== 'go') {
        this.state.set(may);
        return;
      }
      this.#forgetFailed();
      const queue = this.sum.peek().missing.filter(({ key }) => !this.failed.peek().has(key));
      while (queue.length && !this.#isStale) {
        if (this.#may() !== 'go') {
          this.#isStale = true;
          break;
        }
        this.state.set('keeping');
        const part = nextOf(queue);
        queue.splice(0, part.length);
        const seconds = await this.#fetch(part);
        if (seconds === null) return; // full, off, or signed out
        if (seconds > 0) {
          await this.#pause(seconds);
          this.#isStale = true;
        }
      }
    }
    await this.#end();
  }

  /** Fetches and stores some. Returns the seconds to wait; null if it cannot go on. */
  async #fetch(part) {
    const found = await some(part, (file) => fetchFile(file, this.world));
    const made = [];
    let seconds = 0;
    let isOutside = false;
    found.forEach(({ value, error }, index) => {
      const file = part[index];
      const { key, version, sha256 } = file;
      if (value) made.push({ key, row: { version, sha256, bytes: value.bytes.byteLength }, ...value });
      else if (error.why === 'outside') isOutside = true;
      else if (error.why === 'gone' || error.why === 'wrong') {
        this.failed.set(new Map(this.failed.peek()).set(key, { ...file, why: error.why }));
      } else if (error.why) seconds = Math.max(seconds, error.seconds || AGAIN / 1000);
      else throw error;
    });
    if (!await this.#put(made)) return null;
    if (isOutside) this.state.set('outside');
    return isOutside ? null : seconds;
  }

  /** Returns false if the device is full; what fits is kept. Also if keeping is off, or somebody has signed out. */
  async #put(made) {
    if (!made.length) return true;
    const may = this.#may();
    if (may === 'outside' || may === 'off') { // all that was here may be deleted by now
      this.state.set(may);
      return false;
    }
    try {
      await this.store.put(made);
    } catch (error) {
      if (error?.name !== 'QuotaExceededError') throw error;
      if (made.length > 1) {
        for (const one of made) if (!await this.#put([one])) return false;
        return true;
      }
      this.state.set('full');
      return false;
    }
    for (const { key, row } of made) this.rows.set(key, row);
    this.#isTold = false;
    if (performance.now() - this.#toldAt >= TELLING) this.#tell();
    return true;
  }

  #pause(seconds) {
    this.#tell();
    this.state.set('waiting');
    return new Promise((resolve) => {
      const stop = this.world.wait(resolve, seconds * 1000);
      this.#wake = () => {
        stop();
        resolve();
      };
    }).finally(() => { this.#wake = () => {}; });
  }

  /** Only what the hub itself does not name any more goes; a list that could not be fetched says nothing. */
  async #forget() {
    const { older } = this.sum.peek();
    if (!older.length || !this.library.isWhole.peek()) return;
    await this.store.remove(older);
    for (const key of older) this.rows.delete(key);
    this.#changed();
  }

  async #end() {
    this.#tell();
    const { missing, files } = this.sum.peek();
    if (missing.length) this.state.set('short');
    else this.state.set(files ? 'whole' : 'empty');
  }

  /** Counts and hashes all that is kept; what is lost is fetched again. */
  async checkNow() {
    if (this.check.peek()?.all !== undefined) return;
    this.check.set({ done: 0, all: this.rows.size });
    const found = await checkAll(this.store, {
      hash: this.world.hash, said: (done, all) => { if (done % 16 === 0) this.check.set({ done, all }); },
    }).catch((error) => {
      console.warn(error);
      return undefined;
    });
    if (!found) return void this.check.set(null);
    const lost = { small: 0, large: 0 };
    for (const key of found.lost) this.rows.delete(key);
    for (const key of [...found.lost, ...this.#lost]) lost[key.endsWith('/320') ? 'small' : 'large'] += 1;
    const counted = found.counted + this.#lost.length;
    this.#lost = [];
    this.check.set({ counted, small: found.small, large: found.large, lost });
    this.#changed();
    this.go();
  }

  /** Removes every kept picture from this device. */
  async empty() {
    const rows = await this.store.rows(); // another tab may have kept more
    await this.store.remove([...rows.keys()]);
    this.rows.clear();
    this.#changed();
  }
}
