// Past months, requested when somebody turns back to them and kept while the page is open, and single events of other
// days. Calendars may have dropped some of their events.

import { computed, effect, signal } from '/ui.js';
import { onNews } from '/live.js';
import { today } from '/place.js';
import { reusing } from '/session.js';
import { DAY, dateOf, firstOf, programme, wholeProgramme } from '/programme/model.js';

const ASK_LIMIT = 10_000; // milliseconds for one answer of the hub
const KEPT = 12; // months
const AROUND = 7; // days around a month that its grid shows

const MONTHS_BACK = 24; // the limit of the month view

export const nextMonth = (first) => firstOf(first + 31);

/** The first day of the earliest month there is to see. */
export const earliest = computed(() => {
  const [year, month] = dateOf(today()).split('-').map(Number);
  return Date.UTC(year, month - 1 - MONTHS_BACK, 1) / DAY;
});

/** A month's events by its first day, null while they are requested, false if they cannot be fetched. */
const months = signal(new Map());

const put = (first, events) => {
  const next = new Map(months.peek());
  next.delete(first);
  next.set(first, events);
  months.set(new Map([...next].slice(-KEPT)));
};

async function load(first) {
  if (!months.peek().get(first)) put(first, null);
  const url = `/api/v1/space/events?from=${dateOf(first - AROUND)}&to=${dateOf(nextMonth(first) + AROUND)}`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ASK_LIMIT) });
    put(first, response.ok && (await response.json()).events);
  } catch {
    put(first, false);
  }
}

/** The events of a month: from the programme, or from `months` for a past one. */
export const eventsOf = (first) => (first >= firstOf(today()) ? programme()?.events : months().get(first));

/** Fetches a past month, given by a signal, and keeps it up to date. */
export function followMonth(wanted) {
  const see = () => {
    const first = wanted.peek();
    if (first === null || first >= firstOf(today.peek())) return;
    const known = months.peek().get(first);
    if (known === undefined || known === false) load(first);
  };
  effect(() => { wanted(); queueMicrotask(see); });
  // Past events may change, too; failed requests are repeated when connected again.
  onNews('programme', () => {
    const known = months.peek().get(wanted.peek());
    months.set(new Map(known ? [[wanted.peek(), known]] : [])); // shown until the new one arrives
    if (known) load(wanted.peek());
  });
  onNews('live', see);
}

/** Shown although no list has it: {id, event}, null while it is requested, false if it cannot be fetched. */
const single = signal({ id: null, event: undefined });

async function loadSingle(id) {
  const { id: last, event: before } = single.peek();
  if (last !== id || before === false) single.set({ id, event: null });
  let event = false;
  try {
    const url = `/api/v1/space/events/${encodeURIComponent(id)}`;
    const response = await fetch(url, { signal: AbortSignal.timeout(ASK_LIMIT) });
    const answer = await response.json();
    if (response.ok) event = answer;
    else if (response.status === 404 && answer.code) event = undefined;
  } catch { // without a connection, or of a web server before the hub
  }
  const { id: now, event: shown } = single.peek();
  if (now !== id || (shown && event === false)) return;
  single.set({ id, event: event && shown ? reusing([shown], [event])[0] : event });
}

/** An event by its identifier, from any list of this page. */
function listed(id) {
  for (const events of [programme()?.events, ...months().values()]) {
    const found = (events || []).find((event) => event.id === id);
    if (found) return found;
  }
  return undefined;
}

/** An event by its identifier, as far as this page knows it. */
export const eventOf = (id) => listed(id) ?? (single().id === id ? single().event || undefined : undefined);

/** Fetches an event, given by a signal with its identifier, if no list has it, and keeps it up to date. */
export function followEvent(wanted) {
  const see = () => {
    const id = wanted.peek();
    if (id !== null && wholeProgramme.peek() !== undefined && !listed(id)) loadSingle(id);
  };
  effect(() => {
    wanted();
    wholeProgramme();
    queueMicrotask(see);
  });
  onNews('programme', see);
  onNews('live', see);
}

/** True while a request is to be answered that may bring it. */
export const isOnItsWay = (id) => wholeProgramme() === undefined || [...months().values()].includes(null)
  || single().id !== id || single().event === null;

/** True if the hub could not be asked for it. */
export const isOutOfReach = (id) => single().id === id && single().event === false;
