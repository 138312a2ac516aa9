// The programme by days and weeks, with the hub's own rules (Swift, compiled to WebAssembly) for where days begin.

import { dateLong, dateShort, dateShortWithYear, dateWithYear, dayInFull, weekdayName, yearOf } from '/words.js';
import { rules } from '/moments.js';
import { zone } from '/place.js';
import { DAY } from '/rules.js';
import { locale } from '/shell-words.js';
import { words } from '/programme/words.js';

const NIGHT_ENDS = '06:00'; // an event of less than a day that ends by then belongs to one evening, not to two days
const TONIGHT_BEGINS = '17:00';
const DAYS_SHOWN = 31; // a longer event, such as an exhibition, is listed on its first and last day only

// The hub writes times in the space's zone, so the local date and time are the text itself.
const dayOf = (text) => rules().dayNumber(...text.slice(0, 10).split('-').map(Number));
const timeOf = (text) => text.slice(11, 16);

const known = new WeakMap();

/**
 * An event with its days: `first`, `last` (inclusive) as days since 1970, `from` and `to` as times, null when all
 * day.
 */
export function placed(event) {
  if (known.has(event)) return known.get(event);
  const first = dayOf(event.start);
  const end = event.end ?? event.start;
  const endless = Date.parse(end) <= Date.parse(event.start); // without an end
  const from = event.all_day ? null : timeOf(event.start);
  const to = event.all_day || endless ? null : timeOf(end);
  let last = endless ? first : dayOf(end);
  if (last > first && (event.all_day || to === '00:00')) last -= 1; // the end is exclusive
  else if (last === first + 1 && to <= NIGHT_ENDS && to < from) last = first;
  const it = { event, first, last, from, to, endless, startsAt: Date.parse(event.start), endsAt: Date.parse(end) };
  known.set(event, it);
  return it;
}

/** The day in which an event ends, as its time in full has it: at 00:00 it is the one that begins then. */
export const endDay = (it) => (it.to === '00:00' && it.last > it.first ? it.last + 1 : it.last);

/** True if an event is over; one without an end is over with its day. */
export const isOver = (it, now, today) => (it.endless ? it.first < today : it.endsAt <= now);

export const isRunning = (it, now, today) => !it.event.all_day && it.startsAt <= now && !isOver(it, now, today);

export const isComing = (event, now) => event.status !== 'cancelled' && placed(event).endsAt > now;

/** An event on a later one of its days: `on` is that day, `whole` the event itself. */
function part(it, on) {
  it.parts ??= new Map();
  if (!it.parts.has(on)) it.parts.set(on, { event: it.event, whole: it, on });
  return it.parts.get(on);
}

/** The events of each day in a range, inclusive: only days with events, in order. */
export function byDay(events, from, to = Infinity) {
  const found = new Map();
  const put = (day, it) => (found.has(day) ? found.get(day).push(it) : found.set(day, [it]));
  for (const it of events) {
    const step = it.last - it.first < DAYS_SHOWN ? 1 : it.last - it.first;
    for (let on = it.first; on <= it.last; on += step) {
      if (on >= from && on <= to) put(on, on === it.first ? it : part(it, on));
    }
  }
  return [...found].sort(([one], [other]) => one - other).map(([day, them]) => ({ day, events: them }));
}

/**
 * The events that are not over, each once: `tonight` (today's, and those still running), then `weeks` of `days`. The
 * same object is returned until something in it changes, so that nothing is redrawn.
 */
export function arranger() {
  let before = { mark: null, answer: null };
  return (events, now, today) => {
    const seen = new Set();
    const coming = events
      .filter(({ id }) => !seen.has(id) && seen.add(id))
      .map(placed)
      .filter((it) => !isOver(it, now, today))
      .sort((a, b) => a.startsAt - b.startsAt || Number(b.event.all_day) - Number(a.event.all_day));
    const tonight = coming.filter((it) => it.first <= today);
    const mark = [today, ...coming.map((it) => Number(isRunning(it, now, today)))].join();
    if (before.events === events && before.mark === mark) return before.answer;
    const later = coming.filter((it) => it.first > today);
    before = { events, mark, answer: { today, tonight, later, weeks: byWeek(coming, today + 1) } };
    return before.answer;
  };
}

/** The days from `from` on, by weeks. Long events are listed on each of their days. */
export function byWeek(coming, from) {
  const weeks = [];
  for (const one of byDay(coming, from)) {
    const monday = one.day - rules().weekday(one.day) + 1;
    if (weeks.at(-1)?.monday !== monday) weeks.push({ monday, days: [] });
    weeks.at(-1).days.push(one);
  }
  return weeks;
}

/** The Monday behind so many weeks of the calendar, the first of which is tomorrow's: today stands before them. */
export const weeksEnd = (today, count) => today + 2 - rules().weekday(today + 1) + 7 * count;

/** "This week", "Next week", "Week 49", and its days: "30 Nov – 6 Dec", with the year if it is another one. */
export function weekName(monday, today) {
  const distance = monday - (today - rules().weekday(today) + 1);
  const name = distance === 0 ? words.thisWeek : distance === 7 ? words.nextWeek : words.week(rules().isoWeek(monday));
  const end = yearOf(monday) === yearOf(today) ? dateShort : dateShortWithYear;
  return { name, span: `${dateShort(monday, locale)} – ${end(monday + 6, locale)}` };
}

/** "Tomorrow, Saturday 21 November". */
export function dayName(day, today) {
  const near = { [DAY.today]: words.today, [DAY.tomorrow]: words.tomorrow }[rules().relativeDay(today, day)];
  return [near, dayInFull(day, today, locale)].filter(Boolean).join(', ');
}

/** A day in short, relative to today: "today", "tomorrow", "Sunday", "3 December", "7 January 2028". */
export function dayShort(day, today) {
  switch (rules().relativeDay(today, day)) {
    case DAY.today: return words.inText.today;
    case DAY.tomorrow: return words.inText.tomorrow;
    case DAY.nextDays: return weekdayName(day, locale);
    default: return (yearOf(day) === yearOf(today) ? dateLong : dateWithYear)(day, locale);
  }
}

/** True for "Tonight" instead of "Today": from the afternoon on, or if all of today's events are in the evening. */
export const isEvening = (tonight, time) =>
  time >= '16:00' || (tonight.length > 0 && tonight.every((it) => it.from !== null && it.from >= TONIGHT_BEGINS));

/** "02:30 CEST" */
const zoned = (time, at) => [time, new Intl.DateTimeFormat(locale, { timeZone: zone(), timeZoneName: 'short' })
  .formatToParts(at).find(({ type }) => type === 'timeZoneName').value].join(' ');

/** Start and end. In the night in which summer time ends, it might end before it begins: there the zones are named. */
export function timesOf(it) {
  const isThatNight = it.to !== null && it.event.start.slice(19) !== it.event.end.slice(19)
    && it.endsAt - it.startsAt < 86_400_000; // of what lasts for weeks it says nothing
  return isThatNight ? [zoned(it.from, it.startsAt), zoned(it.to, it.endsAt)] : [it.from, it.to];
}

/** An event's time in full: "Today, Friday 20 November, 19:00 to 22:00". */
export function whenInFull(it, today) {
  const [from, to] = timesOf(it);
  const first = dayName(it.first, today);
  if (it.event.all_day) {
    return it.last === it.first ? `${first}, ${words.allDay}` : words.fromTo(first, dayInFull(it.last, today, locale));
  }
  if (it.to === null) return `${first}, ${it.from}`;
  if (it.last === it.first) return `${first}, ${words.fromTo(from, to)}`;
  return words.fromTo(`${first}, ${from}`, `${dayInFull(endDay(it), today, locale)}, ${to}`);
}
