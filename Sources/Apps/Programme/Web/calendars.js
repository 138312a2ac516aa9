// The calendars for readers: each has a name and a colour.

import { computed } from '/ui.js';
import { favourites } from '/programme/favourites-list.js';
import { programme } from '/programme/model.js';
import { programmeWords as words } from '/programme/programme-words.js';

// For calendars without a colour of their own; distinguishable also with red-green colour blindness.
const COLORS = ['#2f7fb8', '#c2702a', '#5b8f3a', '#9a5fb5', '#b8862f', '#3a938c', '#b5546f', '#6a76c4'];

/** The calendars by their identifiers: {id, name, color}. */
export const calendars = computed(() => new Map((programme()?.sources ?? []).map((source, index) => {
  const color = /^#[0-9a-f]{6}$/i.test(source.color ?? '') ? source.color : COLORS[index % COLORS.length];
  return [source.calendar, { id: source.calendar, name: source.name || words.calendarNumber(index + 1), color }];
})));

/** True without calendars: nothing to search, to choose or to subscribe to, except for existing favourites. */
export const isEmpty = computed(() => programme() !== undefined && calendars().size === 0 && favourites().size === 0);

/** A single calendar needs no label. */
export const severalCalendars = computed(() => calendars().size > 1);

/** A dot in a calendar's colour; its name is always given as well. */
export function dot(color) {
  const mark = document.createElement('span');
  mark.className = 'calendar-dot';
  mark.style.setProperty('--calendar', color);
  return mark;
}
