// The events that match the reader's choice.

import { computed, effect } from '/ui.js';
import { programme } from '/programme/model.js';
import { calendars } from '/programme/calendars.js';
import { chosenCalendars, question, view } from '/programme/choice.js';
import { favourites } from '/programme/favourites.js';
import { forgetTexts, matches, prepare, wordsOf } from '/programme/search.js';

/** The events among these that match. */
export function askedFor(all) {
  const only = chosenCalendars();
  const asked = wordsOf(question());
  const marked = view() === 'favourites' ? favourites() : null;
  if (only.size === 0 && asked.length === 0 && !marked) return all;
  const names = calendars();
  return all.filter((event) => (!marked || marked.has(event.id))
    && (only.size === 0 || only.has(event.calendar)) && matches(event, asked, names.get(event.calendar)?.name));
}

/** The matching events of all that are to come. */
export const wanted = computed(() => askedFor(programme()?.events ?? []));

/** Prepares texts for the search while the browser is idle. */
export function prepareTexts() {
  let events;
  effect(() => {
    if (programme()?.events === events) return;
    events = programme()?.events;
    const mine = events;
    forgetTexts();
    const rest = [...(events ?? [])];
    const go = () => {
      const end = performance.now() + 4;
      while (rest.length && performance.now() < end) {
        const event = rest.pop();
        prepare(event, calendars.peek().get(event.calendar)?.name);
      }
      if (rest.length && events === mine) setTimeout(go, 20);
    };
    setTimeout(go, 500);
  });
}
