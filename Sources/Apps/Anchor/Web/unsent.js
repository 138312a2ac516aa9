// Fixes and events of this page that the hub does not know yet. They wait in memory, and on this device too when the
// page is left or the hub is not reached, so that a reload, or the end of the page, loses none.

import { forget, keepAnswer, lookUp } from '/keep.js';

const KEY = 'anchor-unsent';
const BATCH = { fixes: 500, events: 100 }; // of one report
const MOST = 5_000; // fixes that wait; in a longer silence fewer of each minute are kept
const SETTLED = 5_000; // milliseconds between two writes while the hub is not reached

/** Those that are so many seconds apart, at least. */
function apart(fixes, step) {
  let last = -Infinity;
  return fixes.filter(([at]) => {
    if (at - last < step) return false;
    last = at;
    return true;
  });
}

export class Unsent {
  #fixes = [];
  #events = [];
  #step = 0; // seconds between fixes, while there are too many
  #timer = null;
  #isKept = false;
  #store;

  constructor(store = { recall: lookUp, forget, keep: (key, body) => keepAnswer(key, body, true) }) {
    this.#store = store;
  }

  get #isEmpty() { return !this.#fixes.length && !this.#events.length; }

  get #isLong() { return this.#fixes.length >= BATCH.fixes; }

  /** True if they need another report at once. */
  get isUrgent() { return this.#events.length > 0 || this.#isLong; }

  add(fix) {
    if (this.#step && fix[0] - this.#fixes.at(-1)[0] < this.#step) return;
    this.#fixes.push(fix);
    while (this.#fixes.length > MOST) {
      this.#step = this.#step * 2 || 1;
      this.#fixes = apart(this.#fixes, this.#step);
    }
  }

  tell(events) { this.#events = [...this.#events, ...events].slice(-BATCH.events); }

  /** The oldest of them, for a report: {fixes, events}. */
  first() { return { fixes: this.#fixes.slice(0, BATCH.fixes), events: this.#events.slice(0, BATCH.events) }; }

  /** The hub has them. */
  done({ fixes, events }) {
    const known = new Set([...fixes, ...events]);
    this.#fixes = this.#fixes.filter((one) => !known.has(one));
    this.#events = this.#events.filter((one) => !known.has(one));
    if (!this.#isLong) this.#step = 0;
    if (this.#isKept) this.save();
  }

  /** The hub has not been reached. */
  later() { this.#timer ??= setTimeout(() => this.save(), SETTLED); }

  /** Writes them to this device, at once. */
  async save() {
    clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#isEmpty && !this.#isKept) return;
    this.#isKept = !this.#isEmpty;
    if (this.#isKept) await this.#store.keep(KEY, { fixes: this.#fixes, events: this.#events });
    else await this.#store.forget(KEY);
  }

  /** Takes those that a page before has left. */
  async restore() {
    const { fixes = [], events = [] } = (await this.#store.recall(KEY))?.body ?? {};
    if (!fixes.length && !events.length) return;
    this.#isKept = true;
    this.#fixes = [...fixes, ...this.#fixes];
    this.#events = [...events, ...this.#events].slice(-BATCH.events);
  }

  clear() {
    [this.#fixes, this.#events, this.#step] = [[], [], 0];
    return this.save();
  }
}
