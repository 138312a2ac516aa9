// Bytes in words, as the reader writes numbers.

import { locale } from '/shell-words.js';

const UNITS = [[1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'], [1e3, 'KB']];

/** "740 KB", "4.1 MB", "41 MB", "14.3 GB"; less than a kilobyte is a whole one. */
export function size(bytes) {
  const [unit, name] = UNITS.find(([least]) => bytes >= least) ?? UNITS.at(-1);
  const value = Math.max(bytes / unit, Math.sign(bytes));
  return `${value.toLocaleString(locale, { maximumFractionDigits: value < 10 || unit >= 1e9 ? 1 : 0 })} ${name}`;
}
