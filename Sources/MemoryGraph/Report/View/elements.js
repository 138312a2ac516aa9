// What the page is made of.

import { language } from './words.js';

export const plain = new Intl.NumberFormat(language);
export const short = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });

export function element(name, attributes = {}, ...children) {
  const one = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  one.append(...children);
  return one;
}
export function drawn(name, attributes = {}, ...children) {
  const one = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  one.append(...children);
  return one;
}

/** Bytes as a person reads them. */
export function amount(bytes) {
  for (const [unit, size] of [['GB', 1e9], ['MB', 1e6], ['KB', 1e4]]) {
    if (bytes >= size) return `${short.format(bytes / (unit === 'KB' ? 1000 : size))} ${unit}`;
  }
  return `${plain.format(bytes)} B`;
}
