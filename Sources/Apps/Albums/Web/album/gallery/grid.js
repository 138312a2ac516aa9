// The pictures in rows, however many: only those on the screen, and a screen more on each side, have elements. The page
// itself scrolls.

import { beside, layout, seenBetween } from '/albums/album/gallery/layout.js';
import { sizeFor } from '/albums/album/gallery/item.js';
import { bindCell, cellsIn, drawCells } from '/pictures/cell.js';
import { Scrolling } from '/pictures/fling.js';

const HEAD = 44; // pixels of a heading
const BELOW = 18; // between two groups
const AT_ONCE = 8; // ThumbHashes painted in one frame

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };
const ROWS = { ArrowUp: -1, ArrowDown: 1 };

/**
 * A grid within `box`: {show(pictures, aspects, groups), refresh(), open, …}. `label(picture)` is what it is called,
 * `stampOf(picture)` the word in its corner, `headOf(group)` a heading's content, `open(index)` is called when one is
 * pressed, `isPicked(picture)` says that it is chosen, `fileOf(picture)` is what stands there instead of a picture.
 */
export class Grid {
  active = -1; // the picture that the keys have reached
  #pictures = [];
  #groups = [];
  #plan = null;
  #scrolling = new Scrolling(() => scrollY, () => { if (this.#plan) this.#draw(false); });
  #heads = [];
  #aspects = [];

  constructor(box, { label, stampOf, headOf, open, isPicked, fileOf = () => '' }) {
    Object.assign(this, { box, label, stampOf, headOf, open, isPicked, fileOf });
    this.headings = Object.assign(document.createElement('div'), { className: 'heads' });
    this.list = Object.assign(document.createElement('div'), { className: 'cells', tabIndex: 0 });
    this.list.setAttribute('role', 'listbox');
    box.append(this.headings, this.list);
    this.cells = cellsIn(this.list, (index) => this.#pictures[index].id, (cell, index) => this.#bind(cell, index));
    this.list.addEventListener('click', ({ target }) => {
      const cell = target.closest('.cell')?.cell;
      if (cell) this.open(this.indexOf(cell.picture.id));
    });
    this.list.addEventListener('keydown', (event) => this.#pressed(event));
    this.list.addEventListener('focus', () => {
      if (this.active < 0 && this.#pictures.length) this.#activate(this.#firstSeen(), false);
    });
  }

  /** Follows the page; returns what ends that. */
  follow() {
    const done = new AbortController();
    // The browser would keep something else in its place, too, such as what stands below the pictures.
    document.documentElement.style.overflowAnchor = 'none';
    const soon = () => this.#scrolling.soon();
    addEventListener('scroll', soon, { passive: true, signal: done.signal });
    addEventListener('resize', soon, { passive: true, signal: done.signal });
    const sizes = new ResizeObserver(() => {
      if (this.box.clientWidth !== this.width) this.show(this.#pictures, this.#aspects, this.#groups);
    });
    sizes.observe(this.box);
    return () => {
      done.abort();
      document.documentElement.style.overflowAnchor = '';
      sizes.disconnect();
      this.#scrolling.end();
    };
  }

  indexOf(id) { return this.#pictures.findIndex((one) => one.id === id); }

  /** Shows these pictures. What one reads stays where it is on the screen. */
  show(pictures, aspects, groups) {
    const anchor = this.#anchor();
    const active = this.#pictures[this.active]?.id;
    this.width = this.box.clientWidth;
    this.#pictures = pictures;
    this.#aspects = aspects;
    this.#groups = groups;
    if (!this.width) return; // not in the page yet, or hidden: shown as soon as it has a size
    this.#plan = layout(aspects, groups, this.width, groups.length > 1 || groups[0]?.kind
      ? { head: HEAD, below: BELOW } : {});
    this.active = active === undefined ? -1 : this.indexOf(active);
    this.list.hidden = pictures.length === 0;
    this.box.style.height = `${this.#plan.height}px`;
    this.#showHeads();
    if (anchor) {
      const index = this.indexOf(anchor.id);
      const moved = index < 0 ? 0 : this.#plan.y[index] - anchor.y;
      if (moved) scrollBy({ top: moved, behavior: 'instant' });
    }
    this.#draw(true);
  }

  /** Shows anew what is on the screen: words or a picture's state have changed. */
  refresh() { if (this.#plan) this.#draw(true); }

  /** The first picture that is read, if the page is scrolled so far that none above it is seen. */
  #anchor() {
    const { top } = this.box.getBoundingClientRect();
    if (!this.#plan || !this.#pictures.length || top >= 0) return null;
    const index = this.#firstSeen(-top);
    return { id: this.#pictures[index].id, y: this.#plan.y[index] };
  }

  #firstSeen(from = Math.max(0, -this.box.getBoundingClientRect().top)) {
    return Math.min(seenBetween(this.#plan, from, from)[0], this.#pictures.length - 1);
  }

  #showHeads() {
    const nodes = this.#plan.heads.map((top, index) => {
      const node = this.#heads[index] ?? Object.assign(document.createElement('h2'), { className: 'hour-head' });
      node.replaceChildren(this.headOf(this.#groups[index]));
      node.style.transform = `translateY(${top}px)`;
      return node;
    });
    this.headings.replaceChildren(...(this.#groups[0]?.kind ? nodes : []));
    this.#heads = nodes;
  }

  #draw(isNew) {
    const { top } = this.box.getBoundingClientRect();
    const high = innerHeight;
    const [first, end] = this.#pictures.length ? seenBetween(this.#plan, -top - high, -top + 2 * high) : [0, 0];
    this.cells.show(first, end, this.active, isNew);
    const painted = drawCells(this.cells.cells, {
      most: AT_ONCE, isStill: !this.#scrolling.isFlung,
      sourceOf: ({ picture, wide }) => sizeFor(picture, wide * devicePixelRatio) ?? '',
    });
    if (painted === AT_ONCE) this.#scrolling.soon();
  }

  #bind(cell, index) {
    const picture = this.#pictures[index];
    const { x, y, w, h } = this.#plan;
    bindCell(cell, picture, { x: x[index], y: y[index], w: w[index], h: h[index] }, {
      index, count: this.#pictures.length, label: this.label(picture), isActive: index === this.active,
      isSelected: this.isPicked(picture),
    });
    const { element, stamp, file } = cell;
    const { text = '', kind = '' } = this.stampOf(picture) ?? {};
    if (stamp.textContent !== text) stamp.textContent = text;
    stamp.hidden = !text;
    const name = this.fileOf(picture);
    if (file.textContent !== name) file.textContent = name;
    file.hidden = !name;
    element.dataset.kind = kind;
  }

  /** Moves the keys' mark to a picture, and has it seen. */
  #activate(index, isSeen = true) {
    this.active = index;
    const { y, h } = this.#plan;
    if (isSeen) {
      const { top } = this.box.getBoundingClientRect();
      const room = parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom) || 0;
      const [from, to] = [top + y[index] - HEAD, top + y[index] + h[index] - (innerHeight - room)];
      if (from < 0) scrollBy({ top: from, behavior: 'instant' });
      else if (to > 0) scrollBy({ top: to, behavior: 'instant' });
    }
    this.#draw(true);
    this.list.setAttribute('aria-activedescendant', this.cells.at(this.#pictures[index].id).element.id);
  }

  /** The keys' mark goes to the picture that was looked at last, and the focus with it. */
  focus(index) {
    if (index < 0 || index >= this.#pictures.length) return;
    this.#activate(index);
    this.list.focus({ preventScroll: true });
  }

  #pressed(event) {
    const { key } = event;
    const last = this.#pictures.length - 1;
    if (last < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    const now = this.active < 0 ? this.#firstSeen() : this.active;
    let next = now;
    if (key in STEPS) next = Math.max(0, Math.min(last, now + STEPS[key]));
    else if (key in ROWS) next = beside(this.#plan, now, ROWS[key]);
    else if (key === 'Home') next = 0;
    else if (key === 'End') next = last;
    else if (key === 'Enter' || key === ' ') {
      event.preventDefault();
      this.open(now);
      return;
    } else return;
    event.preventDefault();
    this.#activate(next);
  }
}
