// Searches events by title, place, description and the name of the calendar.

import { searchable } from '/search/text.js';

export { fold, wordsOf } from '/search/text.js';

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The visible text of the hub's sanitised HTML. */
export const plainText = (markup) => markup.replace(/<[^>]*>/g, ' ')
  .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[name] ?? whole;
    const code = decimal ? Number(decimal) : parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : ' ';
  });

const descriptions = new Map(); // a series' text is the same in hundreds of occurrences, and is prepared once
const heads = new WeakMap();

function described(markup) {
  if (!markup) return '';
  let text = descriptions.get(markup);
  if (text === undefined) {
    text = searchable(plainText(markup));
    descriptions.set(markup, text);
  }
  return text;
}

function head(event, calendarName) {
  let known = heads.get(event);
  if (!known || known.calendarName !== calendarName) {
    const text = searchable([event.title, event.location, calendarName].filter(Boolean).join('\n'));
    known = { calendarName, text };
    heads.set(event, known);
  }
  return known.text;
}

/** Forgets the prepared texts of the previous programme. */
export const forgetTexts = () => descriptions.clear();

/**
 * True if an event contains all these words (of `wordsOf`). `calendarName` is the name of its calendar, if it has one.
 */
export function matches(event, words, calendarName) {
  const text = head(event, calendarName);
  let description;
  return words.every((word) => text.includes(word)
    || (description ??= described(event.description_html)).includes(word));
}

/** Prepares an event's texts, so that the first typed letter need not wait for it. */
export function prepare(event, calendarName) {
  head(event, calendarName);
  described(event.description_html);
}
