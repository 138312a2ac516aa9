// The changes of an event since its reader marked it, in words.

import { today } from '/place.js';
import { rules } from '/moments.js';
import { changes } from '/programme/favourites-merge.js';
import { dayShort, endDay, placed } from '/programme/days.js';
import { viewWords as words } from '/programme/view-words.js';
import { words as listWords } from '/programme/words.js';

/** The event as the reader saw it when marking it. */
const before = (event, seen) => placed({ ...event, ...seen });

const dayOf = (day) => dayShort(day, today.peek());
const joined = (...texts) => texts.filter(Boolean).join(' ');

/** "now 20:00, was 19:00", with the days where they differ. */
function startText(now, was) {
  const hasOtherDay = now.first !== was.first || (!now.from && !was.from);
  const allDay = now.from || was.from ? listWords.allDay : '';
  const told = (it) => joined(hasOtherDay && dayOf(it.first), it.from ?? allDay);
  return words.changed.time(told(now), told(was));
}

/** "now until 21:00, was until 20:00", with the days where they differ. */
function endText(now, was) {
  if (now.endless) return words.changed.endless;
  const isSameDay = now.last === (was.endless ? now.first : was.last) || endDay(now) === endDay(was);
  const told = (it) => joined((!isSameDay || !it.to) && dayOf(endDay(it)), it.to);
  return was.endless ? words.changed.until(told(now)) : words.changed.end(told(now), told(was));
}

/** A text for each difference: "now 20:00, was 19:00". Empty until the rules for days are loaded. */
export function changeTexts({ seen }, event) {
  if (!seen || !rules.peek()) return [];
  const what = changes(seen, event);
  const texts = [];
  if (what.includes('status') && event.status === 'cancelled') texts.push(words.changed.cancelled);
  else if (what.includes('status') && seen.status === 'cancelled') texts.push(words.changed.notCancelled);
  if (what.includes('start') || what.includes('all_day')) texts.push(startText(placed(event), before(event, seen)));
  else if (what.includes('end')) texts.push(endText(placed(event), before(event, seen)));
  if (what.includes('location')) texts.push(words.changed.place(event.location, seen.location));
  if (what.includes('title')) texts.push(words.changed.title(seen.title));
  return texts;
}
