// Shows OpenStreetMap's opening hours in the reader's words.

import { locale } from '/shell-words.js';
import { MONDAY, weekdayShort } from '/words.js';

/** The days of the week as in OpenStreetMap's opening_hours. */
export const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];

/** OpenStreetMap's opening hours in the reader's words. */
export const hours = (text) => text
  .replace(/\b(Mo|Tu|We|Th|Fr|Sa|Su)\b/g, (day) => weekdayShort(MONDAY + DAYS.indexOf(day), locale))
  .replace(/(\d)-(\d)/g, '$1–$2').replace(/,(?=\S)/g, ', ').replace(/;\s*/g, '\n');
