// The changes of an event since its reader marked it, in words.

import { today } from '/place.js';
import { rules } from '/moments.js';
import { changes } from '/programme/favourites-merge.js';
import { dayShort, placed } from '/programme/days.js';
import { viewWords as words } from '/programme/view-words.js';

/** The event as the reader saw it when marking it. */
const before = (event, seen) => placed({ ...event, ...seen });

/** A text for each difference: "now 20:00, was 19:00". Empty until the rules for days are loaded. */
export function changeTexts({ seen }, event) {
  if (!seen || !rules.peek()) return [];
  const what = changes(seen, event);
  const texts = [];
  if (what.includes('status') && event.status === 'cancelled') texts.push(words.changed.cancelled);
  else if (what.includes('status') && seen.status === 'cancelled') texts.push(words.changed.notCancelled);
  if (what.includes('start')) {
    const [now, was] = [placed(event), before(event, seen)];
    const day = ({ first }) => dayShort(first, today.peek());
    const told = (it) => [now.first === was.first && now.from && was.from ? '' : day(it), it.from].filter(Boolean);
    texts.push(words.changed.time(told(now).join(' '), told(was).join(' ')));
  } else if (what.includes('end')) {
    const [now, was] = [placed(event), before(event, seen)];
    if (now.to && was.to && now.last === was.last) texts.push(words.changed.end(now.to, was.to));
    else texts.push(words.changed.end(dayShort(now.last, today.peek()), dayShort(was.last, today.peek())));
  }
  if (what.includes('location')) texts.push(words.changed.place(event.location, seen.location));
  if (what.includes('title')) texts.push(words.changed.title(seen.title));
  return texts;
}
