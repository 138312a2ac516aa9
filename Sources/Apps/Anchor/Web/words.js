// The words of the anchor's pages.

import { choose } from '/words.js';
import { english } from '/anchor/words-en.js';
import { german } from '/anchor/words-de.js';

export const dictionary = { en: english, de: german };
export const { language, locale } = choose(['en', 'de']);
export const words = dictionary[language];

const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 2, useGrouping: false });

/** A number as the reader writes it: 4.5 or 4,5. */
export const decimal = (number) => format.format(number);
