// The reader's choice of view, search and calendars. It is in the address, so that it survives a reload and can be
// shared: /?view=month&month=2026-12&day=2026-12-05&search=solder&calendar=c1,c2

import { effect, signal } from '/ui.js';

export const VIEWS = ['list', 'month', 'favourites'];
const WRITE_AFTER = 250; // milliseconds: browsers limit changes of the address, one per letter is too many

/** 'list', 'month' or 'favourites'. */
export const view = signal('list');
/** The search text as typed. */
export const question = signal('');
/** The identifiers of the calendars to show; none means all. */
export const chosenCalendars = signal(new Set());
/** The month of the month view as "2026-12", and the day chosen in it as "2026-12-05"; null: today's. */
export const month = signal(null);
export const day = signal(null);
/** True if all weeks are listed, not only the first ones. */
export const wholeYear = signal(false);

/** The day, in days since 1970, that the list is to scroll to; null when it has. */
export const goal = signal(null);

const given = (text, pattern) => (pattern.test(text ?? '') ? text : null);

/** Reads the choice from an address' query. */
export function readChoice(query) {
  const found = new URLSearchParams(query);
  view.set(VIEWS.includes(found.get('view')) ? found.get('view') : 'list');
  question.set(found.get('search') ?? '');
  const ids = (found.get('calendar') ?? '').split(',').filter(Boolean);
  if (ids.join() !== [...chosenCalendars.peek()].join()) chosenCalendars.set(new Set(ids));
  month.set(given(found.get('month'), /^\d{4}-(0[1-9]|1[0-2])$/));
  day.set(given(found.get('day'), /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/));
}

/** The query for the current choice; other parameters of the address stay. */
export function choiceQuery(query) {
  const all = new URLSearchParams(query);
  const put = (name, value) => (value ? all.set(name, value) : all.delete(name));
  put('view', view() === 'list' ? null : view());
  put('search', question().trim());
  put('calendar', [...chosenCalendars()].join());
  put('month', view() === 'month' ? month() : null);
  put('day', view() === 'month' ? day() : null);
  const text = all.toString().replaceAll('%2C', ',');
  return text ? `?${text}` : '';
}

export function toggleCalendar(id) {
  const next = new Set(chosenCalendars.peek());
  if (!next.delete(id)) next.add(id);
  chosenCalendars.set(next);
}

let timer;
let late = false;
let wrote = 0;

function write() {
  clearTimeout(timer);
  late = false;
  wrote = Date.now();
  const query = choiceQuery(location.search);
  if (query !== location.search) history.replaceState(history.state, '', location.pathname + query + location.hash);
}

/** Writes pending changes into the address at once. */
export const settleAddress = () => { if (late) write(); };

/** Keeps the choice and the address equal. */
export function followChoice() {
  readChoice(location.search);
  effect(() => {
    choiceQuery(location.search);
    if (Date.now() - wrote > WRITE_AFTER) {
      write();
      return;
    }
    clearTimeout(timer);
    late = true;
    timer = setTimeout(write, WRITE_AFTER);
  });
  addEventListener('popstate', () => (late ? write() : readChoice(location.search)));
  addEventListener('pagehide', settleAddress);
}
