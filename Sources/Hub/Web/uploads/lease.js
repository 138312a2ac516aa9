// One of several tabs with the same place sends. The others see it by a mark in localStorage, which it renews; if it
// is closed or frozen, another one takes over. Without storage, of which the mere name throws in some browsers, every
// tab sends: the hub keeps order then, at the price of some bytes sent twice.

import { remember, remembered } from '/keep.js';
import { realClock } from '/realtime.js';

export const LIMITS = { renewed: 2_000, over: 6_000 }; // milliseconds

export class Lease {
  #key;
  #me = Array.from(crypto.getRandomValues(new Uint8Array(8))).join('.');
  #clock;
  #timer = null;

  constructor(name, { clock = realClock } = {}) {
    this.#key = `sending-${name}`;
    this.#clock = clock;
  }

  /** True if this tab may send. */
  take() {
    const other = remembered(this.#key);
    const age = other ? this.#clock.now() - other.at : Infinity;
    if (other && other.me !== this.#me && age >= 0 && age < LIMITS.over) return false;
    remember(this.#key, { me: this.#me, at: this.#clock.now() });
    return true;
  }

  /** Renews it, and calls `onturn` when it has become this tab's. */
  start(onturn) {
    let isMine = this.take();
    const renew = () => {
      const before = isMine;
      isMine = this.take();
      if (isMine && !before) onturn();
      this.#timer = this.#clock.after(LIMITS.renewed, renew);
    };
    this.#timer = this.#clock.after(LIMITS.renewed, renew);
  }

  /** Gives it to another tab. */
  end() {
    this.#clock.cancel(this.#timer);
    if (remembered(this.#key)?.me === this.#me) remember(this.#key, null);
  }
}
