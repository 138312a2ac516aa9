// One picture among many: its colour at once, its ThumbHash when there is a moment, the picture itself when the
// page is not being thrown. Elements are made once and used for one picture after the other.

import { bytesOf, colourOf, decode } from '/pictures/thumbhash.js';

const make = (tag, name) => {
  const it = document.createElement(tag);
  it.className = name;
  return it;
};

/** An empty cell: {element, canvas, image, stamp, file}. */
export function makeCell(id) {
  const element = make('div', 'cell');
  element.id = `picture-${id}`;
  element.setAttribute('role', 'option');
  const [canvas, image, stamp] = [make('canvas', 'hash'), make('img', 'shot'), make('span', 'stamp')];
  const file = make('span', 'cell-file');
  image.alt = '';
  image.decoding = 'async';
  image.draggable = false;
  const cell = { element, canvas, image, stamp, file, picture: null, source: '', hash: null, isPainted: false };
  image.onload = () => element.classList.add('is-there');
  image.onerror = () => {
    image.removeAttribute('src');
    cell.source = '';
  };
  element.append(canvas, image, file, stamp);
  return cell;
}

/** Lets go of the picture that it showed. */
export function freeCell(cell) {
  cell.element.hidden = true;
  cell.element.classList.remove('is-there', 'is-active');
  if (cell.source) cell.image.removeAttribute('src');
  Object.assign(cell, { picture: null, source: '', hash: null, isPainted: false });
}

/** Shows another picture's place, size and colour; what it loads comes later. */
export function bindCell(cell, picture, { x, y, w, h }) {
  const { element } = cell;
  element.hidden = false;
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
export function paintCell(cell) {
  if (cell.isPainted || !cell.hash || cell.element.classList.contains('is-there')) return false;
  const { width, height, pixels } = decode(cell.hash);
  Object.assign(cell.canvas, { width, height, hidden: false });
  cell.canvas.getContext('2d').putImageData(new ImageData(pixels, width, height), 0, 0);
  cell.isPainted = true;
  return true;
}

/** Fetches the picture itself from an address, '' for none. */
export function loadCell(cell, source) {
  if (source === cell.source) return;
  cell.source = source;
  if (!source) cell.image.removeAttribute('src');
  else cell.image.src = source; // the old size stays until the new one is there
}
