// The words of the portfolio's pages, and how numbers, sizes and days are written.

import { language, locale } from '/shell-words.js';
import { size } from '/sizes.js';
import { dayIn } from '/portfolio/days.js';
import { de } from '/portfolio/words-de.js';
import { en } from '/portfolio/words-en.js';

export const dictionary = { en, de };
export const words = dictionary[language];

export const count = (number) => number.toLocaleString(locale);

/** What one's portfolios have of their room on the hub, in words; '' until it is known. */
export const shareOf = (share) => (share?.limit ? words.more.share(size(share.bytes), size(share.limit)) : '');

export const dayOf = dayIn(locale);
