// The speed of a page that is being thrown: pictures that fly past are not worth loading. Pure; the clock is passed in.

export const FLING = 1_600; // pixels a second, above which only placeholders are shown
export const SETTLED = 90; // milliseconds without a movement after which the page stands still
const MEMORY = 0.6; // how much of the last speed is believed

export class Speed {
  #at = -Infinity;
  #place = 0;
  #value = 0;

  /** The page stands at `place` now: pixels a second, smoothed. */
  moved(place, now) {
    const passed = now - this.#at;
    const speed = passed > SETTLED * 2 || passed <= 0 ? 0 : (Math.abs(place - this.#place) / passed) * 1000;
    this.#value = passed > SETTLED * 2 ? 0 : this.#value * MEMORY + speed * (1 - MEMORY);
    this.#at = now;
    this.#place = place;
    return this.#value;
  }

  get isFlung() { return this.#value > FLING; }

  /** The page has come to rest. */
  settle() { this.#value = 0; }
}
