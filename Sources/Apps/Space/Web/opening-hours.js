// Shows OpenStreetMap's opening hours in the reader's words.

import { locale } from '/shell-words.js';
import { MONDAY, weekdayShort } from '/words.js';

/** The days of the week as in OpenStreetMap's opening_hours. */
export const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

/** A text of nothing but days and times; in a sentence "We" is no Wednesday. */
const isTimes = (text) => /^(?:\b(?:Mo|Tu|We|Th|Fr|Sa|Su|PH|SH|off|closed)\b|[\d\s:;,+\-[\]/])+$/.test(text);

/** OpenStreetMap's opening hours in the reader's words; a text in the owners' own words as it is. */
export const hours = (text) => (!isTimes(text) ? text : text
  .replace(/\b(Mo|Tu|We|Th|Fr|Sa|Su)\b/g, (day) => weekdayShort(MONDAY + DAYS.indexOf(day), locale))
  .replace(/(\d)-(\d)/g, '$1–$2').replace(/,(?=\S)/g, ', ').replace(/;\s*/g, '\n'));
