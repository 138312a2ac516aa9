// A list of weeks and days that may have thousands of events. All of them are in the document, so that the browser's
// own search and screen readers find them; but rows are made when they come near the screen or when the browser is
// idle, and those off the screen are neither laid out nor painted (content-visibility, in programme.css).

import { make } from '/programme/rows.js';

const CHUNK = 40;        // rows that are laid out together
const NEAR = '1500px'; // the distance from the screen within which rows are made at once
const SMALL = 250; // the most rows that are made at once and always laid out: enough for most programmes
const FIRST = 24; // of a larger list, the rows made before it is shown
const SLICE = 6; // milliseconds for making rows in one go, if the browser does not tell its idle time
const HEIGHT = 72; // approximate height of a row, used until it is laid out

const whenIdle = globalThis.requestIdleCallback
  ?? ((run) => setTimeout(() => {
    const end = performance.now() + SLICE;
    run({ timeRemaining: () => end - performance.now() });
  }, 16));

/** Puts these children into the parent in this order, without moving those that stay in place. */
function sync(parent, wanted) {
  const keep = new Set(wanted);
  for (const child of [...parent.childNodes]) if (!keep.has(child)) child.remove();
  let at = parent.firstChild;
  for (const child of wanted) {
    if (child === at) at = at.nextSibling;
    else parent.insertBefore(child, at);
  }
}

const sameItems = (one, other) => one.length === other.length && one.every((item, index) => item === other[index]);

/**
 * A list in `host`. `row(entry, today)` makes a row; `weekHeading(monday, today)` and `dayHeading(day, today)` the
 * headings. `key(entry)` is the id of the link in the row.
 */
export function lazyList(host, { row, weekHeading, dayHeading, key }) {
  let weeks = new Map();   // monday → {element, days}
  let shownFor = null; // the marks that the current rows were made with
  let pending = []; // chunks without rows yet, in order
  let idle = false;
  const chunks = new WeakMap();

  const watcher = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) if (isIntersecting) fill(chunks.get(target));
  }, { rootMargin: NEAR });

  function fill(chunk) {
    if (!chunk || chunk.filled) return;
    chunk.filled = true;
    watcher.unobserve(chunk.element);
    chunk.element.append(...chunk.entries.map((entry) => row(entry, chunk.today)));
  }

  function fillWhenIdle() {
    if (idle) return;
    idle = true;
    whenIdle((deadline) => {
      idle = false;
      while (pending.length && deadline.timeRemaining() > 2) {
        const chunk = pending.shift();
        if (chunk.element.isConnected) fill(chunk);
      }
      if (pending.length) fillWhenIdle();
    });
  }

  function makeDay({ day, events }, today) {
    const all = [];
    for (let from = 0; from < events.length; from += CHUNK) {
      const chunk = { entries: events.slice(from, from + CHUNK), today, filled: false, element: make('ul', 'events') };
      chunk.element.style.setProperty('contain-intrinsic-size', `auto 1px auto ${chunk.entries.length * HEIGHT}px`);
      chunks.set(chunk.element, chunk);
      all.push(chunk);
    }
    const element = make('section', 'day', dayHeading(day, today), ...all.map((chunk) => chunk.element));
    element.dataset.day = day;
    return { element, events, chunks: all };
  }

  function makeWeek(monday, today) {
    const element = make('section', 'week', weekHeading(monday, today), make('div', 'week-days'));
    element.dataset.week = monday;
    element.toggleAttribute('data-now', monday <= today);
    return { element, days: new Map() };
  }

  /** `marks` stands for further data in the rows: when it changes, all rows are remade. */
  function show(wanted, today, marks = '') {
    const mark = `${today} ${marks}`;
    if (shownFor !== mark) weeks = new Map();
    shownFor = mark;
    const next = new Map();
    pending = [];
    let made = 0;
    const count = wanted.reduce((sum, { days }) => sum + days.reduce((all, { events }) => all + events.length, 0), 0);
    const atOnce = count > SMALL ? FIRST : count;
    host.toggleAttribute('data-large', count > SMALL);
    for (const { monday, days } of wanted) {
      const week = weeks.get(monday) ?? makeWeek(monday, today);
      const nextDays = new Map();
      for (const one of days) {
        const before = week.days.get(one.day);
        const it = before && sameItems(before.events, one.events) ? before : makeDay(one, today);
        nextDays.set(one.day, it);
        for (const chunk of it.chunks) {
          if (chunk.filled) continue;
          if (made < atOnce) fill(chunk);
          else {
            pending.push(chunk);
            watcher.observe(chunk.element);
          }
          made += chunk.entries.length;
        }
      }
      week.days = nextDays;
      sync(week.element.lastElementChild, [...nextDays.values()].map(({ element }) => element));
      next.set(monday, week);
    }
    weeks = next;
    sync(host, [...weeks.values()].map(({ element }) => element));
    if (pending.length) fillWhenIdle();
  }

  /** Makes the row with this link, if it is in the list. */
  function reveal(link) {
    for (const { days } of weeks.values()) {
      for (const { chunks: all } of days.values()) {
        const chunk = all.find(({ filled, entries }) => !filled && entries.some((entry) => key(entry) === link));
        if (chunk) fill(chunk);
      }
    }
    return document.getElementById(link);
  }

  /** The first day on or after this one: its section, or null. */
  function dayAt(day) {
    for (const { days } of weeks.values()) {
      for (const [one, { element, chunks: all }] of days) {
        if (one >= day) {
          all.forEach(fill);
          return element;
        }
      }
    }
    return null;
  }

  const onPaper = new AbortController();
  addEventListener('beforeprint', () => { while (pending.length) fill(pending.shift()); }, onPaper);

  return { show, reveal, dayAt, end: () => (watcher.disconnect(), onPaper.abort()) };
}
