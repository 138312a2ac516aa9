// The events that match the reader's choice.

import { computed, signal } from '/ui.js';
import { programme } from '/programme/model.js';
import { calendars } from '/programme/calendars.js';
import { chosenCalendars, question, view } from '/programme/choice.js';
import { favourites } from '/programme/favourites-list.js';

/** The functions of /programme/search.js; null until they are loaded, when nothing is searched yet. */
export const search = signal(null);

/** The events among these that match. */
export function askedFor(all) {
  const only = chosenCalendars();
  const asked = search()?.wordsOf(question()) ?? [];
  const marked = view() === 'favourites' ? favourites() : null;
  if (only.size === 0 && asked.length === 0 && !marked) return all;
  const names = calendars();
  return all.filter((event) => (!marked || marked.has(event.id))
    && (only.size === 0 || only.has(event.calendar))
    && (asked.length === 0 || search().matches(event, asked, names.get(event.calendar)?.name)));
}

/** The matching events of all that are to come. */
export const wanted = computed(() => askedFor(programme()?.events ?? []));
