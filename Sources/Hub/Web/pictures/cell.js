// One picture among many: its colour at once, its ThumbHash when there is a moment, the picture itself when the
// page is not being thrown. Elements are made once and used for one picture after the other.

import { Recycler } from '/pictures/recycler.js';
import { bytesOf, colourOf, decode } from '/pictures/thumbhash.js';

let numbers = 0; // of the elements on a page

const make = (tag, name) => {
  const it = document.createElement(tag);
  it.className = name;
  return it;
};

/** An empty cell: {element, canvas, image, stamp, file}. */
function makeCell() {
  const element = make('div', 'cell');
  numbers += 1;
  element.id = `picture-${numbers}`;
  element.setAttribute('role', 'option');
  const [canvas, image, stamp] = [make('canvas', 'hash'), make('img', 'shot'), make('span', 'stamp')];
  const file = make('span', 'cell-file');
  image.alt = '';
  image.decoding = 'async';
  image.draggable = false;
  const cell = { element, canvas, image, stamp, file, picture: null, source: '', hash: null, isPainted: false };
  element.cell = cell;
  image.onload = () => element.classList.add('is-there');
  image.onerror = () => {
    image.removeAttribute('src');
    cell.source = '';
  };
  element.append(canvas, image, file, stamp);
  return cell;
}

/** Lets go of the picture that it showed. */
function freeCell(cell) {
  cell.element.hidden = true;
  cell.element.classList.remove('is-there', 'is-active');
  if (cell.source) cell.image.removeAttribute('src');
  Object.assign(cell, { picture: null, source: '', hash: null, isPainted: false });
}

/** The cells of a list, each for one entry after the other: `keyOf` and `bind` are a Recycler's. */
export const cellsIn = (list, keyOf, bind) => new Recycler({
  keyOf, bind, free: freeCell,
  make: () => {
    const cell = makeCell();
    list.append(cell.element);
    return cell;
  },
});

/**
 * Shows another picture's place, size and colour; what it loads comes later. It is one of `count` in its list, where it
 * is called `label`; the keys have reached it if it `isActive`.
 */
export function bindCell(cell, picture, { x, y, w, h }, { index, count, label, isActive, isSelected = isActive }) {
  const { element } = cell;
  element.setAttribute('aria-posinset', index + 1);
  element.setAttribute('aria-setsize', count);
  element.setAttribute('aria-label', label);
  element.setAttribute('aria-selected', String(isSelected));
  element.classList.toggle('is-active', isActive);
  element.hidden = false;
  cell.index = index;
  const { style } = element;
  style.transform = `translate(${x}px, ${y}px)`;
  style.width = `${w}px`;
  style.height = `${h}px`;
  cell.wide = w;
  if (cell.picture?.placeholder !== picture.placeholder || !cell.hash) {
    cell.hash = picture.placeholder ? bytesOf(picture.placeholder) : null;
    cell.isPainted = false;
    cell.canvas.hidden = true;
    style.backgroundColor = colourOf(picture);
  }
  cell.picture = picture;
}

/** Paints the ThumbHash. Returns true if there was something to do. */
function paintCell(cell) {
  if (cell.isPainted || !cell.hash || cell.element.classList.contains('is-there')) return false;
  const { width, height, pixels } = decode(cell.hash);
  Object.assign(cell.canvas, { width, height, hidden: false });
  cell.canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
  cell.isPainted = true;
  return true;
}

/** Fetches the picture itself from an address, '' for none. */
function loadCell(cell, source) {
  if (source === cell.source) return;
  cell.source = source;
  if (!source) cell.image.removeAttribute('src');
  else cell.image.src = source; // the old size stays until the new one is there
}

/**
 * Paints at most `most` ThumbHashes, and has the pictures come from `sourceOf(cell)` if the list `isStill`. Returns how
 * many it painted.
 */
export function drawCells(cells, { most, isStill, sourceOf }) {
  let painted = 0;
  const shown = [...cells];
  for (const cell of shown) {
    if (painted < most && paintCell(cell)) painted += 1;
    if (isStill) loadCell(cell, sourceOf(cell));
  }
  // Elements stand in the order in which they were made; a screen reader goes through the pictures in theirs.
  const ids = shown.sort((one, other) => one.index - other.index).map(({ element }) => element.id).join(' ');
  const list = shown[0]?.element.closest('[role=listbox]');
  if (list && list.was !== ids) list.setAttribute('aria-owns', ids);
  if (list) list.was = ids;
  return painted;
}
