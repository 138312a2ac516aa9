// Shows OpenStreetMap's opening hours in the reader's words.

import { locale } from '/shell-words.js';
import { weekdayShort } from '/words.js';

const MONDAY = 4; // 1970-01-05, in days since 1970-01-01
const WEEKDAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']; // as in OpenStreetMap's opening_hours

/** OpenStreetMap's opening hours in the reader's words. */
export const hours = (text) => text
  .replace(/\b(Mo|Tu|We|Th|Fr|Sa|Su)\b/g, (day) => weekdayShort(MONDAY + WEEKDAYS.indexOf(day), locale))
  .replace(/(\d)-(\d)/g, '$1–$2').replace(/,(?=\S)/g, ', ').replace(/;\s*/g, '\n');
