// Searches events by title, place, description and the name of the calendar.

const ASCII = /^[\0-\x7f]*$/;
const UMLAUTS = /[äöüÄÖÜ]/g;
// Letters without a Unicode decomposition, in their usual transliteration.
const WHOLE = { ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ð: 'd', þ: 'th' };

/** A text for comparison: without case and diacritics. */
export function fold(text) {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFD').replace(/\p{M}+/gu, '').toLowerCase()
    .replace(/[ßøæœłđðþ]/g, (letter) => WHOLE[letter]);
}

/** A text for searching: "Löten" is found by "löten", "loten" and "loeten". */
export function searchable(text) {
  const plain = fold(text);
  if (ASCII.test(text)) return plain;
  const whole = text.normalize('NFC');
  const written = whole.replace(UMLAUTS, (letter) => `${letter}e`);
  return written === whole ? plain : `${plain}\n${fold(written)}`;
}

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

/** The words of a search, all of which an event must contain. */
export const wordsOf = (question) => fold(question).split(/\s+/).filter(Boolean);

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
