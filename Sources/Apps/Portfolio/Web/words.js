// The words of the portfolio's pages, and how numbers, sizes and days are written.

import { language, locale } from '/shell-words.js';
import { dayIn } from '/portfolio/days.js';
import { de } from '/portfolio/words-de.js';
import { en } from '/portfolio/words-en.js';

export const dictionary = { en, de };
export const words = dictionary[language];

export const count = (number) => number.toLocaleString(locale);

/** A number of bytes: "412 MB", "1.2 GB". */
export function size(bytes) {
  const [unit, amount] = bytes >= 1e9 ? ['GB', bytes / 1e9] : bytes >= 1e6 ? ['MB', bytes / 1e6] : ['KB', bytes / 1e3];
  return `${amount.toLocaleString(locale, { maximumFractionDigits: unit === 'GB' ? 1 : 0 })} ${unit}`;
}

/** What one's portfolios have of their room on the hub, in words; '' until it is known. */
export const shareOf = (share) => (share?.limit ? words.more.share(size(share.bytes), size(share.limit)) : '');

export const dayOf = dayIn(locale);
