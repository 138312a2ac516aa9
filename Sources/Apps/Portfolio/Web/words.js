// The words of the portfolio's pages, and how numbers, sizes and days are written.

import { choose } from '/words.js';
import { de } from '/portfolio/words-de.js';
import { en } from '/portfolio/words-en.js';

export const dictionary = { en, de };
export const { language, locale } = choose(['en', 'de']);
export const words = dictionary[language];

export const count = (number) => number.toLocaleString(locale);

/** A number of bytes: "412 MB", "1.2 GB". */
export function size(bytes) {
  const [unit, amount] = bytes >= 1e9 ? ['GB', bytes / 1e9] : bytes >= 1e6 ? ['MB', bytes / 1e6] : ['KB', bytes / 1e3];
  return words.bytes[unit](amount.toLocaleString(locale, { maximumFractionDigits: unit === 'GB' ? 1 : 0 }));
}

const dayFormat = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/**
 * The day on which a picture was taken, as its camera wrote it: cameras know no time zones. `taken` is a time of
 * ISO 8601, or seconds since 1970; '' for none.
 */
export function dayOf(taken) {
  if (taken === undefined || taken === null) return '';
  const at = typeof taken === 'number' ? taken * 1000 : Date.parse(`${String(taken).slice(0, 10)}T00:00:00Z`);
  return Number.isNaN(at) ? '' : dayFormat.format(at);
}
