// The galleries of one portfolio, below each other: only the strips on the screen, and some above and below, have
// elements. The page itself scrolls.

import { Scrolling } from '/pictures/fling.js';
import { Recycler } from '/pictures/recycler.js';
import { groupAt, measuresFor, pitchOf, rowsBetween } from '/portfolio/wall/plan.js';
import { Strip } from '/portfolio/wall/strip.js';

const AROUND = 0.6; // of the screen's height, above and below
const AT_ONCE = 8; // ThumbHashes painted in one frame
const BESIDE = { ArrowUp: -1, ArrowDown: 1 };

/**
 * A wall within `box`. `library` has the galleries and pictures, `open(portfolio, gallery, picture)` is called when a
 * picture is pressed; `labelOf(picture, index, count)`, `stripLabel(gallery)`, `countOf(gallery)` and
 * `keptOf(portfolio, gallery)` give its words.
 */
export class Wall {
  places = new Map(); // how far each strip is scrolled, by 'portfolio/gallery'
  measures = measuresFor(innerWidth);
  #galleries = [];
  #portfolio = null;
  #scrolling = new Scrolling(() => scrollY, () => this.#draw(false));

  constructor(box, { library, open, labelOf, stripLabel, countOf, keptOf }) {
    Object.assign(this, { box, library, open, labelOf, stripLabel, countOf, keptOf });
    this.strips = new Recycler({
      keyOf: (index) => this.#galleries[index].id,
      make: () => {
        const strip = new Strip(this);
        box.append(strip.element);
        return strip;
      },
      free: (strip) => {
        strip.free();
        box.append(strip.element);
      },
      bind: (strip, index) => strip.bind(
        this.#portfolio, this.#galleries[index], index * pitchOf(this.measures), groupAt(this.#galleries, index),
        this.#putInOrder(strip, index)),
    });
    this.soon = () => this.#scrolling.soon();
    this.resized = () => this.#measure();
    addEventListener('scroll', this.soon, { passive: true });
    addEventListener('resize', this.resized);
  }

  end() {
    removeEventListener('scroll', this.soon);
    removeEventListener('resize', this.resized);
    this.#scrolling.end();
  }

  /** Shows a portfolio's galleries, or what has changed of them. */
  show(portfolio, galleries) {
    this.#portfolio = portfolio;
    this.#galleries = galleries;
    this.#measure();
  }

  #measure() {
    this.measures = measuresFor(innerWidth);
    this.wide = document.documentElement.clientWidth;
    const { high, head } = this.measures;
    this.box.style.height = `${Math.max(0, this.#galleries.length * pitchOf(this.measures) - this.measures.between)}px`;
    this.box.style.setProperty('--strip', `${high}px`);
    this.box.style.setProperty('--strip-head', `${head}px`);
    this.#draw(true);
  }

  /** Pictures have become known, or are kept now. */
  refresh() {
    for (const strip of this.strips.cells) {
      if (this.library.pictures(strip.portfolio.id, strip.gallery.id) !== strip.film.pictures) strip.fill();
    }
  }

  tellKept() { for (const strip of this.strips.cells) strip.tellKept(); }

  /** Strips are read, and reached by the keys, in the order of their elements. Returns true if this one had to move. */
  #putInOrder({ element }, index) {
    const before = this.strips.at(this.#galleries[index - 1]?.id)?.element;
    if (element === (before ? before.nextElementSibling : this.box.firstElementChild)) return false;
    if (before) before.after(element);
    else this.box.prepend(element);
    return true;
  }

  #draw(isNew) {
    const { top } = this.box.getBoundingClientRect();
    const [high, pitch] = [innerHeight, pitchOf(this.measures)];
    const [first, end] = rowsBetween(this.#galleries.length, pitch, -top - high * AROUND, -top + high * (1 + AROUND));
    this.strips.show(first, end, -1, isNew);
    let left = AT_ONCE;
    for (const { film } of this.strips.cells) left -= film.draw(false, !this.#scrolling.isFlung, left);
    if (left <= 0) this.soon();
  }

  /** The keys' way from one strip to the next: the same place on the screen, as far as there is one. */
  keyed(strip, key) {
    const index = this.#galleries.findIndex(({ id }) => id === strip.gallery.id) + (BESIDE[key] ?? 0);
    if (!(key in BESIDE) || !this.#galleries[index]) return false;
    const pitch = pitchOf(this.measures);
    const { top } = this.box.getBoundingClientRect();
    const [from, to] = [top + index * pitch, top + index * pitch + pitch - this.measures.between];
    if (from < 0) scrollBy({ top: from, behavior: 'instant' });
    else if (to > innerHeight) scrollBy({ top: to - innerHeight + 16, behavior: 'instant' });
    this.#draw(false);
    this.strips.at(this.#galleries[index].id)?.film.box.focus({ preventScroll: true });
    return true;
  }
}
