// Pictures beside each other that scroll across, however many: only those that are seen, and some on both sides, have
// elements, which are used for one picture after the other.

import { bindCell, cellsIn, drawCells } from '/pictures/cell.js';
import { Scrolling } from '/pictures/fling.js';
import { aspectOf, columnsBetween, scrolledTo, smallOf, stripOf } from '/portfolio/wall/plan.js';

const BESIDE = 0.5; // of the width, on both sides
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };
const DRAGGED = 6; // pixels after which a press is not a click
const NOTHING = stripOf([], 1, 0);

/**
 * `open(index)` is called when a picture is pressed, `labelOf(picture)` says what it is called; `keyed(key, index)` may
 * take other keys, and returns true if it did. The box scrolls, and is a list for the keyboard.
 */
export class Film {
  active = -1; // the picture that the keys have reached
  pictures = [];
  #plan = NOTHING;
  #scrolling = new Scrolling(() => {
    this.left = this.box.scrollLeft;
    return this.left;
  }, (isStill) => this.draw(false, !this.#scrolling.isFlung, isStill ? Infinity : undefined));
  #drag = null;

  constructor({ open, labelOf, keyed = () => false, className = 'strip-scroll' }) {
    Object.assign(this, { open, labelOf, keyed });
    this.box = Object.assign(document.createElement('div'), { className, tabIndex: 0 });
    this.box.setAttribute('role', 'listbox');
    this.box.setAttribute('aria-orientation', 'horizontal');
    this.track = Object.assign(document.createElement('div'), { className: 'track' });
    this.track.setAttribute('role', 'presentation');
    this.box.append(this.track);
    this.cells = cellsIn(this.track, (index) => this.pictures[index].id, (cell, index) => this.#bind(cell, index));
    this.box.addEventListener('scroll', () => this.#scrolling.soon(), { passive: true });
    this.box.addEventListener('keydown', (event) => this.#pressed(event));
    this.#listen();
  }

  /** Shows pictures of one height, scrolled to `left`; without it, it stays where it is. */
  show(pictures, { high, gap, left = this.box.scrollLeft }) {
    this.pictures = pictures;
    this.high = high;
    this.#plan = stripOf(pictures.map(aspectOf), high, gap);
    this.track.style.width = `${this.#plan.width}px`;
    this.track.style.height = `${high}px`;
    this.active = Math.min(this.active, pictures.length - 1);
    if (this.box.scrollLeft !== left) this.box.scrollLeft = left;
    this.left = left; // reading it back would lay the page out for each strip
    this.draw(true, true);
  }

  /** Lets go of everything, for another list. */
  clear() {
    this.active = -1;
    this.pictures = [];
    this.#plan = NOTHING;
    this.cells.show(0, 0, -1, true);
    this.track.style.width = '0';
  }

  /** The elements for what is seen now; pictures are fetched if `isStill`. Returns how many ThumbHashes it painted. */
  draw(isNew, isStill, most = 8) {
    const wide = this.wide || innerWidth;
    const { left } = this;
    const [first, end] = columnsBetween(this.#plan, left - wide * BESIDE, left + wide * (1 + BESIDE));
    this.cells.show(first, end, this.active, isNew);
    return drawCells(this.cells.cells, { most, isStill, sourceOf: ({ picture }) => smallOf(picture) });
  }

  #bind(cell, index) {
    const picture = this.pictures[index];
    bindCell(cell, picture, { x: this.#plan.x[index], y: 0, w: this.#plan.w[index], h: this.high }, {
      index, count: this.pictures.length, label: this.labelOf(picture, index), isActive: index === this.active,
    });
    cell.stamp.hidden = true;
  }

  /** The element of a picture, if it has one now. */
  cellOf(id) { return this.cells.at(id)?.element; }

  /** Moves the keys' mark to a picture, and has it seen. */
  activate(index, isInMiddle = false) {
    if (index < 0 || index >= this.pictures.length) return;
    this.active = index;
    const wide = this.box.clientWidth;
    const { x, w } = this.#plan;
    const left = isInMiddle ? Math.max(0, x[index] + w[index] / 2 - wide / 2)
      : scrolledTo(this.#plan, index, this.box.scrollLeft, wide, 16);
    if (left !== this.box.scrollLeft) this.box.scrollTo({ left, behavior: 'instant' });
    this.left = this.box.scrollLeft;
    this.draw(true, true);
    this.box.setAttribute('aria-activedescendant', this.cellOf(this.pictures[index].id).id);
  }

  #pressed(event) {
    const { key } = event;
    if (!this.pictures.length || event.altKey || event.ctrlKey || event.metaKey) return;
    const last = this.pictures.length - 1;
    const now = this.active < 0 ? columnsBetween(this.#plan, this.left, this.left + 1)[0] : this.active;
    if (key in STEPS) this.activate(this.active < 0 ? now : Math.max(0, Math.min(last, now + STEPS[key])));
    else if (key === 'Home') this.activate(0);
    else if (key === 'End') this.activate(last);
    else if (key === 'Enter' || key === ' ') this.open(now);
    else if (!this.keyed(key, now)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** A press opens; a mouse, which cannot swipe, draws the strip along. */
  #listen() {
    let isDragged = false;
    const move = ({ clientX, buttons }) => {
      if (!(buttons & 1)) {
        this.#drag = null;
        removeEventListener('pointermove', move);
        return;
      }
      const moved = clientX - this.#drag.from;
      isDragged ||= Math.abs(moved) > DRAGGED;
      if (isDragged) this.box.scrollLeft = this.#drag.left - moved;
    };
    this.box.addEventListener('click', ({ target }) => {
      const cell = target.closest('.cell')?.cell;
      if (cell?.picture && !isDragged) this.open(this.pictures.indexOf(cell.picture));
    });
    this.box.addEventListener('pointerdown', ({ pointerType, button, clientX }) => {
      isDragged = false;
      if (pointerType !== 'mouse' || button !== 0) return;
      this.#drag = { from: clientX, left: this.box.scrollLeft };
      addEventListener('pointermove', move, { passive: true });
    });
  }
}
