// Events for the search of all rooms: what is to come first, then what was within the last year.

import { hubAhead } from '/keep.js';
import { load } from '/session.js';
import { locale } from '/shell-words.js';
import { dateLong, dateWithYear, yearOf } from '/words.js';
import { once } from '/search/once.js';
import { matches } from '/programme/search.js';
import { words } from '/programme/words.js';

const DAY = 86_400_000;
const AROUND = 365; // days back, and ahead

const date = (at) => new Date(at).toISOString().slice(0, 10);
const now = () => Date.now() + hubAhead();
const year = once(() => load(
  `/api/v1/space/events?from=${date(now() - AROUND * DAY)}&to=${date(now() + AROUND * DAY)}`));

const start = ({ start: at }) => Date.parse(at);

/** The days of an event without a time of day: "27 December, all day", "27 December to 30 December". */
function daysOf(event) {
  const [first, end] = [event.start, event.end ?? event.start].map((text) => Date.parse(text.slice(0, 10)) / DAY);
  const said = (day) => (yearOf(day) === yearOf(now() / DAY) ? dateLong : dateWithYear)(day, locale);
  return end > first + 1 ? words.fromTo(said(first), said(end - 1)) : `${said(first)}, ${words.allDay}`;
}

export async function find(wanted) {
  const hits = (await year()).events.filter((event) => matches(event, wanted));
  const isOver = (event) => Date.parse(event.end ?? event.start) < now();
  const coming = hits.filter((event) => !isOver(event)).sort((one, other) => start(one) - start(other));
  const past = hits.filter(isOver).sort((one, other) => start(other) - start(one));
  return [...coming, ...past].map((event) => ({
    title: event.title || words.untitled, at: event.all_day ? null : event.start,
    detail: [words[event.status], event.all_day && daysOf(event), event.location].filter(Boolean).join(' · '),
    path: `/programme/${encodeURIComponent(event.id)}`,
  }));
}
