// The page's elements and formats.

import { language } from './words.js';

const plain = new Intl.NumberFormat(language);
const rounded = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });

/** A number with separators. */
export const count = (value) => plain.format(value);
export const short = (value) => rounded.format(value);

export const $ = (id) => document.getElementById(id);

/** Text stays text, whatever it contains: nothing of the process is ever parsed as HTML. */
export function element(name, attributes = {}, ...children) {
  const one = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) one.addEventListener(key.slice(2), value);
    else if (value !== undefined) one.setAttribute(key, value);
  }
  one.append(...children.filter((child) => child !== undefined && child !== ''));
  return one;
}
/** A sample of a line as in the picture, in the colour of the text beside it. */
export function sample(dash) {
  const svg = (name, attributes) => {
    const one = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
    return one;
  };
  const all = svg('svg', { class: 'sample', width: 30, height: 8, 'aria-hidden': 'true' });
  all.append(svg('line', { x1: 0, y1: 4, x2: 30, y2: 4, 'stroke-dasharray': dash.join(' ') }));
  return all;
}
export const button = (text, open, attributes = {}) => (
  element('button', { type: 'button', onclick: open, ...attributes }, ...[text].flat()));

const clock = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
/** A time in seconds since 1970, in the reader's zone; empty if unknown. */
export const when = (seconds) => (seconds === undefined ? '' : clock.format(seconds * 1000));

/** A number of bytes with a unit. */
export function amount(bytes) {
  for (const [unit, from, size] of [['GB', 1e9, 1e9], ['MB', 1e6, 1e6], ['KB', 1e4, 1e3]]) {
    if (bytes >= from) return `${short(bytes / size)} ${unit}`;
  }
  return `${count(bytes)} B`;
}
