// The rows of the programme, one for each event. Made without templates, since there may be thousands.

import { now, today } from '/place.js';
import { calendars, dot, severalCalendars } from '/programme/calendars.js';
import { dayShort, isRunning, timesOf } from '/programme/days.js';
import { mark } from '/programme/marks.js';
import { addressOf, linkOf } from '/programme/route.js';
import { programmeWords } from '/programme/programme-words.js';
import { words } from '/programme/words.js';

export function make(tag, className, ...content) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...content);
  return node;
}

export function chip(kind, text) {
  const node = make('span', 'chip', text);
  node.dataset.kind = kind;
  return node;
}

export const titleOf = ({ title }) => title || words.untitled;

/** A title, struck through when the event does not take place. */
export const titleNode = (event) => (event.status === 'cancelled' ? make('s', '', titleOf(event)) : titleOf(event));

/** What is said of an event that may not take place, or runs on this day; null for none. */
export function statusChip(it, isToday) {
  const { status } = it.event;
  if (status === 'cancelled') return chip('cancelled', words.cancelled);
  if (status === 'tentative') return chip('tentative', words.tentative);
  return isToday && isRunning(it, now.peek(), today.peek()) ? chip('running', words.running) : null;
}

/** The first column: the start on that day, and the end if it is on the same evening. */
function times(it, on) {
  const box = make('span', 'event-time');
  const small = (text) => box.append(make('small', '', text));
  const several = it.last > it.first;
  const [from, to] = timesOf(it);
  if (it.event.all_day || (several && on > it.first && on < it.last)) small(words.allDay);
  else if (several && on > it.first) small(words.endsAt(to));
  else {
    box.append(make('strong', '', from));
    if (to !== null && !several) small(words.endsAt(to));
  }
  return box;
}

/** The row of an event, or of a later day of one. `prefix` and the event's id make its link's id. */
export function eventRow(entry, today, prefix = linkOf('')) {
  const it = entry.whole ?? entry;
  const { event } = it;
  const on = entry.on ?? Math.max(it.first, Math.min(today, it.last));
  const again = entry.on !== undefined;
  const what = make('span', 'event-what');
  const title = make('span', 'event-title', titleNode(event));
  const status = statusChip(it, on === today);
  if (status) title.append(' ', status);
  what.append(title);

  const length = it.last - it.first + 1;
  const texts = [
    length > 1 ? programmeWords.dayOf(on - it.first + 1, length) : '',
    again ? '' : event.location,
    length > 1 && !again ? words.lastsUntil(dayShort(it.last, today)) : '',
  ].filter(Boolean);
  if (texts.length) what.append(make('span', 'event-facts', texts.join(' · ')));
  const calendar = severalCalendars.peek() && !again ? calendars.peek().get(event.calendar) : null;
  if (calendar) what.append(make('span', 'event-facts event-calendar', dot(calendar.color), calendar.name));

  const link = make('a', again ? 'event-again' : 'event-row', times(it, on), what);
  link.id = prefix + event.id + (again ? `~${on}` : '');
  link.href = addressOf(event.id);
  link.dataset.status = event.status;
  const day = dayShort(on, today);
  link.setAttribute('aria-description', day); // the eye has it from the heading
  const row = make('li', 'event-item', link);
  row.event = event;
  mark(row, again, day);
  return row;
}

export function eventList(entries, today, prefix) {
  return make('ul', 'events', ...entries.map((entry) => eventRow(entry, today, prefix)));
}
