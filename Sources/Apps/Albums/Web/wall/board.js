// The pictures behind the print, in three rows that fill the screen. A row moves gently when one of its pictures is
// replaced.

import { aspectOf } from '/albums/album/gallery/layout.js';
import { colourOf } from '/pictures/thumbhash.js';
import { mosaic, placeFor } from '/albums/wall/mosaic.js';

const LEAVING = 1_200; // milliseconds in which a print goes to its place

const sourceOf = ({ sizes }) => sizes[1600] ?? sizes[320];

function figureOf(picture) {
  const figure = document.createElement('figure');
  figure.style.setProperty('--ar', aspectOf(picture));
  figure.style.backgroundColor = colourOf(picture);
  const image = Object.assign(document.createElement('img'), {
    alt: '', decoding: 'async', src: sourceOf(picture) });
  figure.append(image);
  return figure;
}

export class Board {
  element = Object.assign(document.createElement('div'), { className: 'mosaic', ariaHidden: 'true' });
  #rows = [];
  #since = [];
  #pictures = [];
  #steps = 0;

  /** The pictures that there are: those that are gone leave the wall. Nothing else moves. */
  keep(pictures) {
    this.#pictures = pictures;
    const ids = new Set(pictures.map(({ id }) => id));
    const on = this.#rows.flat();
    const full = mosaic(pictures, innerWidth / innerHeight).flat().length;
    if (on.some(({ id }) => !ids.has(id)) || (on.length < full && on.length < 12)) this.draw();
    else this.#sharpen();
  }

  /** A large size that was made meanwhile takes the place of the small one. */
  #sharpen() {
    const now = new Map(this.#pictures.map((one) => [one.id, one]));
    this.#rows.forEach((row, line) => row.forEach((before, column) => {
      const picture = now.get(before.id);
      if (sourceOf(picture) === sourceOf(before)) return;
      this.#rows[line][column] = picture;
      this.element.children[line].children[column].children[0].src = sourceOf(picture);
    }));
  }

  /** Lays all of them anew. */
  draw() {
    this.#rows = mosaic(this.#pictures, innerWidth / innerHeight).map((row) => [...row]);
    this.#since = this.#rows.map((row) => row.map(({ id }) => this.#pictures.findIndex((one) => one.id === id)
      - this.#pictures.length));
    this.element.replaceChildren(...this.#rows.map((row) => {
      const strip = Object.assign(document.createElement('div'), { className: 'strip' });
      strip.append(...row.map(figureOf));
      return strip;
    }));
  }

  /** A picture takes its place; the print, `sheet`, goes there. One that is gone meanwhile takes none. */
  put(picture, sheet) {
    if (!this.#pictures.some(({ id }) => id === picture.id)) {
      sheet.remove();
      return;
    }
    const isOn = this.#rows.flat().some(({ id }) => id === picture.id);
    const place = isOn ? null : placeFor(picture, this.#rows, this.#since);
    let goal = null;
    if (place) {
      goal = figureOf(picture);
      this.element.children[place.row].children[place.column].replaceWith(goal);
      this.#rows[place.row][place.column] = picture;
      this.#steps += 1;
      this.#since[place.row][place.column] = this.#steps;
    }
    this.#send(sheet, goal);
  }

  #send(sheet, goal) {
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (isStill || !goal || !sheet.animate) {
      sheet.remove();
      return;
    }
    const [from, to] = [sheet.getBoundingClientRect(), goal.getBoundingClientRect()];
    const scale = Math.max(to.width / from.width, to.height / from.height);
    const x = to.left + to.width / 2 - (from.left + from.width / 2);
    const y = to.top + to.height / 2 - (from.top + from.height / 2);
    const there = `translate(calc(-50% + ${x}px), calc(-50% + ${y}px)) scale(${scale})`;
    sheet.animate([{}, { transform: there, opacity: 0 }],
      { duration: LEAVING, easing: 'cubic-bezier(0.5, 0, 0.3, 1)', fill: 'forwards' })
      .finished.then(() => sheet.remove(), () => sheet.remove());
  }
}
