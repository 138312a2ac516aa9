// The words of a guest's page, in German and English.

import { language, locale } from '/shell-words.js';
import { german } from '/albums/album/words-de.js';
import { english } from '/albums/album/words-en.js';

export const dictionary = { en: english, de: german };
export const words = dictionary[language];

const UNITS = [[1e9, 'GB', 1], [1e6, 'MB', 0], [1e3, 'KB', 0]];

/** Bytes in words: "11 MB", "1,4 GB". Less than a kilobyte is one. */
export function size(bytes) {
  const [unit, name, digits] = UNITS.find(([least]) => bytes >= least) ?? UNITS.at(-1);
  const value = Math.max(bytes / unit, 1);
  return `${value.toLocaleString(locale, { maximumFractionDigits: value < 10 ? 1 : digits })} ${name}`;
}
