// The marks of this client, kept on the device, and their way to the hub.

import { computed, signal } from '/ui.js';
import {
  after, changeOf, countsOf, joined, MARKS_AT_ONCE, ofPictures, queued, seenOf, settled, taken,
} from '/portfolio/player/marks-rules.js';

const AGAIN = 30_000; // milliseconds until the hub is tried again

const LETTERS = 22; // of base64url: 128 random bits
export function newID() {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').slice(0, LETTERS);
}

export class Marks {
  /** 'sent', 'waiting' (for the hub or a network), 'refused' (the hub does not want them), 'here' (nobody does). */
  state = signal('sent');
  #sent = signal([]);
  waiting = signal([]);
  #sending = false;
  #isAsked = false;
  #isOver = false;
  #again = 0;

  /** Counts up whenever the hub has taken some: what was asked before that is older. */
  turn = 0;

  /**
   * `keep(change)` changes the stored list of what waits, which all tabs share; `send(marks)` is resolved with the
   * marks that the hub has, null if nobody takes any; it throws an error with `isRefused` if asking once more does not
   * help.
   */
  constructor({ keep, send, now = () => Date.now() / 1000, makeID = newID }) {
    Object.assign(this, { keep, send, now, makeID });
    this.seen = computed(() => seenOf(this.#sent(), this.waiting()));
    this.counts = computed(() => countsOf([...this.seen().values()]));
    this.counted = computed(() => countsOf(this.waiting()));
  }

  /** What waits on this device, by this tab or another. */
  begin(kept) { this.waiting.set(joined(this.waiting.peek(), kept)); }

  /** The marks that the hub had; `pictures` are the ids of those that are still shown, null if that is not sure. */
  told(sent, pictures) {
    this.#sent.set(sent);
    if (!pictures) return;
    if (this.waiting.peek().some(({ picture }) => !pictures.has(picture))) {
      this.#wait((waiting) => ofPictures(waiting, pictures));
    }
  }

  /** Sets a mark of a picture: {picture, kind, text} or {picture, kind, isOn}. */
  set(wish) {
    const last = this.waiting.peek().reduce((latest, { at }) => Math.max(latest, at), 0);
    const at = Math.max(Math.round(this.now() * 1000) / 1000, after(last));
    const change = changeOf(this.seen.peek(), wish, { id: this.makeID(), at });
    if (!change) return;
    this.#wait((waiting) => queued(waiting, change));
    this.flush();
  }

  #wait(change) {
    this.waiting.set(change(this.waiting.peek()));
    Promise.resolve(this.keep(change)).catch(() => {}); // no storage: they wait as long as the page is open
  }

  /** Sends what waits, in the order in which it was marked. */
  async flush() {
    this.#isAsked = true;
    if (this.#sending) return; // it looks again when it has ended
    this.#sending = true;
    while (this.#isAsked) {
      this.#isAsked = false;
      await this.#send();
    }
    this.#sending = false;
  }

  async #send() {
    clearTimeout(this.#again);
    try {
      while (this.waiting.peek().length) {
        const part = this.waiting.peek().slice(0, MARKS_AT_ONCE);
        const answered = await this.send(part);
        if (answered === null) return void this.state.set('here');
        this.turn += 1;
        this.#sent.set(taken(this.#sent.peek(), part, answered));
        this.#wait((waiting) => settled(waiting, part));
      }
      this.state.set('sent');
    } catch (error) {
      if (this.#isOver) return void this.end();
      this.state.set(error.isRefused ? 'refused' : 'waiting');
      if (!error.isRefused) this.#again = setTimeout(() => this.flush(), AGAIN);
    }
  }

  /** Nobody takes any more: what waits is only here. */
  end() {
    this.#isOver = true;
    clearTimeout(this.#again);
    if (this.waiting.peek().length) this.state.set('here');
  }
}
