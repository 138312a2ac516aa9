// Makes the programme searchable.

import { effect } from '/ui.js';
import { calendars } from '/programme/calendars.js';
import { programme } from '/programme/model.js';
import { forgetTexts, matches, prepare, wordsOf } from '/programme/search.js';
import { search } from '/programme/wanted.js';

search.set({ matches, wordsOf });

// Prepares texts for the search while the browser is idle.
{
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
