// Measures how fast a page scrolls: pictures of a page that is being thrown fly past, and are not worth loading.

export const FLING = 1_600; // pixels a second, above which only placeholders are shown
const SETTLED = 90; // milliseconds without a movement after which the page stands still
const MEMORY = 0.6; // how much of the last speed is believed

/** Pure; the clock is passed in. */
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

/**
 * Draws while something scrolls: once a frame, and once more when it stands still. `placeOf()` is where it stands, and
 * `draw(isStill)` is called with true when it has come to rest.
 */
export class Scrolling {
  #speed = new Speed();
  #frame = 0;
  #timer = 0;

  constructor(placeOf, draw) { Object.assign(this, { placeOf, draw }); }

  get isFlung() { return this.#speed.isFlung; }

  /** Draws in the next frame. */
  soon() { this.#frame ||= requestAnimationFrame((now) => this.#tick(now)); }

  #tick(now) {
    this.#frame = 0;
    this.#speed.moved(this.placeOf(), now);
    this.draw(false);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#speed.settle();
      this.draw(true);
    }, SETTLED);
  }

  end() {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
  }
}
