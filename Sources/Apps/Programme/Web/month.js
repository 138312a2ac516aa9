// A month as a grid, and the events of the chosen day. The grid follows the ARIA pattern: one stop for the Tab key,
// arrow keys between the days, Home and End within a week, Page Up and Down between months.

import { computed, effect, element, html } from '/ui.js';
import { rules } from '/moments.js';
import { place, today } from '/place.js';
import { calendars, dot, isEmpty } from '/programme/calendars.js';
import { day, month, view } from '/programme/choice.js';
import { byDay, dayName, placed } from '/programme/days.js';
import { DAY, DAYS_AHEAD, dateOf, daysOf, firstOf, programme } from '/programme/model.js';
import { earliest, eventsOf, followMonth, nextMonth } from '/programme/past.js';
import { askedFor } from '/programme/wanted.js';
import { shown } from '/programme/route.js';
import { eventList, make, titleNode, titleOf } from '/programme/rows.js';
import { viewWords } from '/programme/view-words.js';
import { locale } from '/shell-words.js';
import { dayLongWithYear, MONDAY, monthName, weekdayName, weekdayShort } from '/words.js';

const { month: words } = viewWords;
const DOTS = 4; // in a day's cell on a phone
const TITLES = 3; // in a day's cell on a larger screen

/** True for days whose programme this page has, or can request. */
const inReach = (days) => days >= earliest() && days <= today() + DAYS_AHEAD;
const within = (days) => Math.min(Math.max(days, earliest()), today() + DAYS_AHEAD);

const chosen = computed(() => within(day() ? daysOf(day()) : today()));
const first = computed(() => firstOf(within(month() ? daysOf(`${month()}-01`) : chosen())));

/** Shows a day with its month. */
function choose(days) {
  const it = within(days);
  day.set(it === today.peek() ? null : dateOf(it));
  month.set(firstOf(it) === firstOf(today.peek()) ? null : dateOf(it).slice(0, 7));
}

/** The same day in another month, or its last day if that month is shorter. */
function inMonth(days, distance) {
  const offset = days - firstOf(days);
  let start = firstOf(days);
  start = distance > 0 ? nextMonth(start) : firstOf(start - 1);
  return Math.min(start + offset, nextMonth(start) - 1);
}

const weekdayOf = (days) => rules().weekday(days); // 1 is Monday

const MOVES = {
  ArrowLeft: (days) => days - 1,
  ArrowRight: (days) => days + 1,
  ArrowUp: (days) => days - 7,
  ArrowDown: (days) => days + 7,
  Home: (days) => days - weekdayOf(days) + 1,
  End: (days) => days - weekdayOf(days) + 7,
  PageUp: (days) => inMonth(days, -1),
  PageDown: (days) => inMonth(days, 1),
};

const colorOf = (event) => calendars.peek().get(event.calendar)?.color ?? 'currentColor';

function cell(days, entries, start) {
  // Read aloud is its text: some screen readers prefer that of a plain cell to its label.
  const seen = make('div', '', make('span', 'month-day', String(new Date(days * DAY).getUTCDate())));
  seen.setAttribute('aria-hidden', 'true');
  const names = entries.map(({ event }) => titleOf(event)).slice(0, TITLES).join(', ');
  const told = [dayLongWithYear(days, locale), words.count(entries.length)].join(', ');
  const box = make('td', '', make('span', 'visually-hidden', names ? `${told}: ${names}` : told), seen);
  box.id = `day-${days}`;
  box.setAttribute('role', 'gridcell');
  box.dataset.day = days;
  if (firstOf(days) !== start) box.dataset.other = '';
  if (days < today.peek()) box.dataset.past = '';
  if (days === today.peek()) box.setAttribute('aria-current', 'date');
  if (!entries.length) return box;
  const rest = (shown) => (entries.length > shown ? [make('small', '', words.more(entries.length - shown))] : []);
  const dots = entries.slice(0, DOTS).map(({ event }) => dot(colorOf(event)));
  const titles = entries.slice(0, TITLES).map(({ event }) => {
    const line = make('span', '', titleNode(event));
    line.style.setProperty('--calendar', colorOf(event));
    return line;
  });
  seen.append(
    make('div', 'month-dots', ...dots, ...rest(DOTS)),
    make('div', 'month-titles', ...titles, ...rest(TITLES)));
  return box;
}

function grid(start, entries) {
  const head = make('tr', '');
  head.setAttribute('role', 'row');
  for (let index = 0; index < 7; index += 1) {
    const name = make('th', '', weekdayShort(MONDAY + index, locale));
    name.scope = 'col';
    name.abbr = weekdayName(MONDAY + index, locale);
    name.setAttribute('role', 'columnheader');
    head.append(name);
  }
  const body = make('tbody', '');
  const end = nextMonth(start);
  for (let monday = start - weekdayOf(start) + 1; monday < end; monday += 7) {
    const row = make('tr', '');
    row.setAttribute('role', 'row');
    for (let days = monday; days < monday + 7; days += 1) row.append(cell(days, entries.get(days) ?? [], start));
    body.append(row);
  }
  const table = make('table', 'month', make('thead', '', head), body);
  table.setAttribute('role', 'grid');
  table.setAttribute('aria-labelledby', 'month-name');
  return table;
}

const arrow = (path) => html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path}/></svg>`;

element('space-month', (host) => {
  const ready = computed(() => Boolean(rules() && programme() && view() === 'month'));
  const entries = computed(() => {
    const from = first() - 7;
    const all = askedFor(eventsOf(first()) || []).map(placed).sort((a, b) => a.startsAt - b.startsAt);
    return new Map(byDay(all, from, from + 45).map(({ day: on, events }) => [on, events]));
  });

  followMonth(computed(() => (view() === 'month' ? first() : null)));

  const focusChosen = () => setTimeout(() => host.querySelector('[tabindex="0"]')?.focus());
  const move = (event) => {
    const next = event.ctrlKey || event.altKey || event.metaKey ? null : MOVES[event.key];
    if (!next) return;
    event.preventDefault();
    choose(next(chosen.peek()));
    focusChosen();
  };
  const press = ({ target }) => {
    const days = Number(target.closest('td')?.dataset.day);
    if (!inReach(days)) return;
    choose(days);
    // On a phone what is on stands below the edge of the screen. The keyboard reads it from the day itself.
    setTimeout(() => host.querySelector('.month-chosen')?.scrollIntoView({ block: 'nearest' }));
  };

  const table = () => {
    const made = grid(first(), entries());
    made.addEventListener('keydown', move);
    made.addEventListener('click', press);
    effect(() => {
      for (const one of made.querySelectorAll('td')) {
        const isChosen = Number(one.dataset.day) === chosen();
        one.setAttribute('aria-selected', String(isChosen));
        one.tabIndex = isChosen ? 0 : -1;
      }
    });
    return made;
  };

  const step = (distance) => {
    const target = inMonth(first.peek(), distance);
    if (inReach(target)) choose(target);
  };
  const disabled = (distance) => () => String(!inReach(inMonth(first(), distance)));
  const on = () => entries().get(chosen()) ?? [];
  const nothing = () => {
    const known = eventsOf(first());
    return known === false ? words.missing : known ? words.nothing : words.pending;
  };
  const body = () => html`
    <div class="month-head">
      <h2 id="month-name" aria-live="polite">${() => monthName(first(), locale)}</h2>
      <button type="button" aria-label=${words.before} aria-disabled=${disabled(-1)}
        @click=${() => step(-1)}>${arrow('M15 5l-7 7 7 7')}</button>
      <button type="button" @click=${() => choose(today.peek())}>${words.today}</button>
      <button type="button" aria-label=${words.after} aria-disabled=${disabled(1)}
        @click=${() => step(1)}>${arrow('M9 5l7 7-7 7')}</button>
    </div>
    ${table}
    <section class="month-chosen" aria-labelledby="month-chosen">
      <h3 id="month-chosen">${() => dayName(chosen(), today())}</h3>
      ${() => (on().length ? eventList(on(), today(), 'on-') : html`<p class="quiet" role="status">${nothing}</p>`)}
      ${() => (first() === earliest() ? html`<p class="quiet">${words.end}</p>` : '')}
    </section>`;
  const hidden = () => shown() !== null || place() === null || view() !== 'month' || isEmpty();
  return html`<div hidden=${hidden}>${() => (ready() ? body() : '')}</div>`;
});
