// This device's receiver: followed all the time, or asked once in a while, which spares a battery.

const SELDOM = 10; // seconds between two looks from which on the receiver is let go in between
export const OPTIONS = { enableHighAccuracy: true, maximumAge: 0, timeout: 30_000 };

export class Receiver {
  #onfix;
  #onfailure;
  #geolocation;
  #isOn = false;
  #following = null; // the id of watchPosition
  #later; // the timer of the next single look

  /** Either is called from `pace` to `stop`, and no longer. */
  constructor(onfix, onfailure, geolocation = globalThis.navigator?.geolocation) {
    this.#onfix = (fix) => { if (this.#isOn) onfix(fix); };
    this.#onfailure = (error) => { if (this.#isOn) onfailure(error); };
    this.#geolocation = geolocation;
  }

  get isThere() { return Boolean(this.#geolocation); }

  get isFollowed() { return this.#following !== null; }

  /** Looks in so many seconds, when whoever takes the fix says when to look next; all the time, if that is soon. */
  pace(every) {
    this.#isOn = true;
    clearTimeout(this.#later);
    if (every < SELDOM) return this.#follow();
    this.#letGo();
    this.#later = setTimeout(() => this.#once(() => this.#follow()), every * 1000);
    return undefined;
  }

  /** One look more, at a receiver that is followed and tells nothing while nothing moves. */
  ask() { this.#once(); }

  stop() {
    this.#isOn = false;
    this.#letGo();
    clearTimeout(this.#later);
  }

  #follow() {
    this.#following ??= this.#geolocation.watchPosition(this.#onfix, this.#onfailure, OPTIONS);
  }

  /** After a look that failed nobody would plan the next one: `again` does, unless that was the end. */
  #once(again = () => {}) {
    this.#geolocation.getCurrentPosition(this.#onfix, (error) => {
      this.#onfailure(error);
      if (this.#isOn) again();
    }, OPTIONS);
  }

  #letGo() {
    if (this.#following !== null) this.#geolocation.clearWatch(this.#following);
    this.#following = null;
  }
}
