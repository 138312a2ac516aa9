import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const days = await page('/programme/days.js');
const { age, rules } = await page('/moments.js');

const DAY = 86_400_000;
const ageUnit = (seconds) => [60, 3600, 86_400, Infinity].findIndex((limit) => seconds < limit);

// The rules' functions in JavaScript: only the pages' code is tested here, the rules have tests of their own.
rules.set({
  dayNumber: (year, month, day) => Date.UTC(year, month - 1, day) / DAY,
  weekday: (day) => ((((day + 3) % 7) + 7) % 7) + 1,
  isoWeek: (day) => {
    const thursday = day - ((day + 3) % 7) + 3;
    const year = new Date(thursday * DAY).getUTCFullYear();
    return Math.floor((thursday - Date.UTC(year, 0, 1) / DAY) / 7) + 1;
  },
  relativeDay: (today, day) => {
    const distance = day - today;
    if (Math.abs(distance) <= 1) return distance;
    return Math.sign(distance) * (Math.abs(distance) <= 6 ? 2 : 3);
  },
  ageUnit,
  ageCount: (seconds) => Math.floor(seconds / [1, 60, 3600, 86_400][ageUnit(seconds)]),
});

const NOW = Date.parse('2026-11-20T18:45:00+01:00');
const TODAY = Date.UTC(2026, 10, 20) / DAY;

let number = 0;
const event = (start, end, more = {}) => ({
  id: `e${number += 1}`, title: 'An event', status: 'confirmed', all_day: false,
  start: `${start}:00+01:00`, end: `${end}:00+01:00`, ...more,
});
const ids = (items) => items.map((it) => it.event.id);
const arrange = (...events) => days.arranger()(events, NOW, TODAY);

test('tonight is what is today and not over, and what still runs', () => {
  const over = event('2026-11-20T10:00', '2026-11-20T12:00');
  const running = event('2026-11-20T18:00', '2026-11-20T19:00');
  const camp = event('2026-11-19T12:00', '2026-11-22T12:00');
  const late = event('2026-11-20T23:00', '2026-11-21T04:00');
  const allDay = event('2026-11-20T00:00', '2026-11-21T00:00', { all_day: true });
  const tomorrow = event('2026-11-21T00:00', '2026-11-22T00:00', { all_day: true });
  const it = arrange(late, over, running, camp, allDay, tomorrow);
  assert.deepEqual(ids(it.tonight), [camp, allDay, running, late].map(({ id }) => id));
  assert.deepEqual(ids(it.later), [tomorrow.id]);
});

test('an event without an end is shown until its day is over', () => {
  const it = arrange(event('2026-11-20T17:00', '2026-11-20T17:00'), event('2026-11-19T17:00', '2026-11-19T17:00'));
  assert.equal(it.tonight.length, 1);
});

test('each event once, in order, by weeks and days', () => {
  const friday = event('2026-11-27T19:00', '2026-11-27T20:00');
  const saturday = event('2026-11-21T19:00', '2026-11-21T20:00');
  const monday = event('2026-11-23T19:00', '2026-11-23T20:00');
  const newYear = event('2027-01-01T19:00', '2027-01-01T20:00');
  const it = arrange(newYear, friday, saturday, monday, friday);
  assert.deepEqual(it.weeks.map(({ days: all }) => all.map(({ events }) => ids(events))),
    [[[saturday.id]], [[monday.id], [friday.id]], [[newYear.id]]]);
  const names = it.weeks.map((week) => days.weekName(week.monday, TODAY).name);
  assert.deepEqual(names, ['This week', 'Next week', 'Week 53']);
  const { span } = days.weekName(Date.UTC(2027, 0, 4) / DAY, TODAY);
  assert.match(span, /Jan.* – .*Jan\b.*2027$/, 'months in short at both ends');
});

test('the first weeks are those of the calendar, from that of tomorrow on', () => {
  const monday = Date.UTC(2026, 10, 16) / DAY;
  for (let weekday = 0; weekday < 6; weekday += 1) assert.equal(days.weeksEnd(monday + weekday, 2), monday + 14);
  assert.equal(days.weeksEnd(monday + 6, 2), monday + 21, 'on a Sunday this week is over');
});

test('the same arrangement is given again until something changes', () => {
  const arranger = days.arranger();
  const events = [event('2026-11-20T18:00', '2026-11-20T19:00'), event('2026-11-20T20:00', '2026-11-20T21:00')];
  const first = arranger(events, NOW, TODAY);
  assert.equal(arranger(events, NOW + 60_000, TODAY), first);
  const later = arranger(events, NOW + 20 * 60_000, TODAY);
  assert.notEqual(later, first);
  assert.equal(later.tonight.length, 1);
});

test('days of events: nights, midnights, whole days', () => {
  const length = (...all) => { const { first, last } = days.placed(event(...all)); return last - first; };
  assert.equal(length('2026-11-20T20:00', '2026-11-21T02:00'), 0);
  assert.equal(length('2026-11-20T20:00', '2026-11-21T00:00'), 0);
  assert.equal(length('2026-11-20T20:00', '2026-11-21T09:00'), 1);
  assert.equal(length('2026-11-20T07:00', '2026-11-21T06:00'), 0);
  assert.equal(length('2026-11-20T06:00', '2026-11-21T06:00'), 1, 'a whole day');
  assert.equal(length('2026-11-20T04:00', '2026-11-21T05:00'), 1, 'more than a day');
  assert.equal(length('2026-11-20T00:00', '2026-11-21T00:00', { all_day: true }), 0);
  assert.equal(length('2026-11-20T00:00', '2026-11-23T00:00', { all_day: true }), 2);
});

test('when, in full', () => {
  const full = (...all) => days.whenInFull(days.placed(event(...all)), TODAY);
  assert.match(full('2026-11-20T19:00', '2026-11-20T22:00'), /^Today, Friday,? .*, 19:00 to 22:00$/);
  assert.match(full('2026-11-21T00:00', '2026-11-22T00:00', { all_day: true }), /^Tomorrow, Saturday.*, all day$/);
  assert.match(full('2026-11-25T18:00', '2026-11-27T12:00'), /^Wednesday.*, 18:00 to Friday.*, 12:00$/);
  assert.match(full('2026-11-25T18:00', '2026-11-25T18:00'), /, 18:00$/);
  assert.match(full('2026-11-25T18:00', '2026-11-28T00:00'), /^Wednesday.*, 18:00 to Saturday.*, 00:00$/);
  assert.match(full('2026-11-25T18:00', '2026-11-26T00:00'), /, 18:00 to 00:00$/);
});

test('in the night in which an hour comes twice, times have their zones', async () => {
  const { place } = await page('/place.js');
  place.set({ timezone: 'Europe/Berlin' });
  const full = (start, end) => days.whenInFull(days.placed({ ...event('', ''), start, end }), TODAY);
  assert.match(full('2027-10-31T02:30:00+02:00', '2027-10-31T02:00:00+01:00'),
    /, 02:30 (CEST|GMT\+2) to 02:00 (CET|GMT\+1)$/);
  assert.match(full('2027-10-31T02:30:00+01:00', '2027-10-31T03:00:00+01:00'), /, 02:30 to 03:00$/);
  assert.match(full('2027-10-01T10:00:00+02:00', '2027-11-01T18:00:00+01:00'), /, 18:00$/, 'an exhibition');
  assert.match(full('2027-10-31T02:30:00+02:00', null), /, 02:30$/);

  class Element {
    children = [];
    dataset = {};
    content = { firstChild: { cloneNode: () => new Element() } };
    append(...all) { this.children.push(...all); }
    querySelector() { return this; }
    getAttribute() { return null; }
    setAttribute() {}
    addEventListener() {}
  }
  globalThis.document = {
    createElement: () => new Element(), getElementsByClassName: () => [], addEventListener() {},
    documentElement: new Element(),
  };
  globalThis.location ??= { origin: 'http://hub.example', pathname: '/', search: '', hash: '' };
  const { eventRow } = await page('/programme/rows.js');
  const row = (start, end) => eventRow(days.placed({ ...event('', ''), start, end }), TODAY)
    .children[0].children[0].children.flatMap(({ children }) => children).join(' ');
  assert.match(row('2027-10-31T02:30:00+02:00', '2027-10-31T02:30:00+01:00'),
    /^02:30 (CEST|GMT\+2) to 02:30 (CET|GMT\+1)$/);
  assert.equal(row('2027-10-30T20:00:00+02:00', '2027-10-30T22:00:00+02:00'), '20:00 to 22:00');
});

test('zones are the same by what their clocks show', async () => {
  const { haveSameTime } = await page('/zones.js');
  const now = Date.parse('2026-11-20') / 1000;
  const same = (one, other) => haveSameTime(one, other, now);
  assert.ok(same('Asia/Kolkata', 'Asia/Calcutta') && same('Europe/Vienna', 'Europe/Berlin'));
  assert.ok(!same('Africa/Lagos', 'Europe/Berlin'), 'in summer they are not');
  assert.ok(!same('Europe/London', 'Europe/Berlin') && !same('Europe/Nowhere', 'UTC'));
});

test('what has changed since an event was marked, in words', async () => {
  const { snapshot } = await page('/programme/favourites-merge.js');
  const { changeTexts } = await page('/programme/changes.js');
  const { now, place } = await page('/place.js');
  now.set(NOW);
  place.set({ timezone: 'Europe/Berlin' });
  const british = (text) => text.replaceAll(/December (\d+)/g, '$1 December');
  const told = (seen, event) => changeTexts({ seen }, event).map(british);
  const texts = (before, after) => told(snapshot(event(...before)), event(...after));
  const [from, late] = ['2026-12-20T19:00', '2026-12-20T21:00'];
  assert.deepEqual(texts([from, late], ['2026-12-20T20:00', late]), ['now 20:00, was 19:00']);
  assert.deepEqual(texts([from, late], ['2026-12-21T20:00', late]), ['now 21 December 20:00, was 20 December 19:00']);
  assert.deepEqual(texts([from, late], [from, '2026-12-21T02:00']), ['now until 02:00, was until 21:00']);
  assert.deepEqual(texts([from, late], [from, '2026-12-21T00:00']), ['now until 00:00, was until 21:00']);
  const camp = ['2026-12-11T18:00', '2026-12-13T00:00'];
  assert.deepEqual(texts(camp, [camp[0], '2026-12-13T02:00']), ['now until 02:00, was until 00:00']);
  assert.deepEqual(texts(camp, [camp[0], '2026-12-12T22:00']), ['now until 22:00, was until 00:00']);
  assert.deepEqual(texts(camp, [camp[0], '2026-12-14T10:00']),
    ['now until 14 December 10:00, was until 13 December 00:00']);
  assert.deepEqual(texts([from, from], [from, late]), ['now until 21:00'], 'it has got an end');
  assert.deepEqual(texts([from, from], [from, '2026-12-22T21:00']), ['now until 22 December 21:00']);
  assert.deepEqual(texts([from, late], [from, from]), ['end no longer given']);
  const whole = (days) => ['2026-12-20T00:00', `2026-12-2${days}T00:00`, { all_day: true }];
  assert.deepEqual(texts(whole(1), whole(3)), ['now until 22 December, was until 20 December']);
  assert.deepEqual(texts(whole(1), [from, late]), ['now 19:00, was all day']);
  assert.deepEqual(texts([from, late], whole(1)), ['now all day, was 19:00']);
  assert.deepEqual(texts(whole(1), ['2026-12-21T19:00', '2026-12-21T21:00']),
    ['now 21 December 19:00, was 20 December all day']);
  const { all_day: unknown, ...older } = snapshot(event(from, late));
  assert.deepEqual(told(older, event('2026-12-20T20:00', late)), ['now 20:00, was 19:00'], 'kept by an older version');
});

test('tonight begins in the afternoon, or when only evening events are left', () => {
  const evening = [days.placed(event('2026-11-20T19:00', '2026-11-20T22:00'))];
  const afternoon = [days.placed(event('2026-11-20T14:00', '2026-11-20T22:00'))];
  assert.equal(days.isEvening(evening, '09:00'), true);
  assert.equal(days.isEvening(afternoon, '09:00'), false);
  assert.equal(days.isEvening(afternoon, '16:00'), true);
  assert.equal(days.isEvening([], '09:00'), false);
});

test('ages', () => {
  const ago = (seconds) => age(NOW - seconds * 1000, NOW);
  assert.deepEqual([-5, 59, 60, 1500, 7200, 86_400, 3 * 86_400].map(ago),
    ['just now', 'just now', '1 minute ago', '25 minutes ago', '2 hours ago', '1 day ago', '3 days ago']);
});

test('what lasts for days stands on each of them, from tomorrow on', () => {
  const camp = event('2026-11-20T12:00', '2026-11-23T12:00');
  const fair = event('2026-11-21T00:00', '2026-11-23T00:00', { all_day: true });
  const talk = event('2026-11-21T19:00', '2026-11-21T20:00');
  const it = arrange(talk, camp, fair);
  assert.deepEqual(ids(it.later), [fair.id, talk.id]);
  const told = it.weeks.flatMap((week) => week.days).map(({ day, events }) => [day - TODAY, ids(events)]);
  assert.deepEqual(told, [[1, [camp.id, fair.id, talk.id]], [2, [camp.id, fair.id]], [3, [camp.id]]]);
  const [again] = it.weeks[0].days[0].events;
  assert.deepEqual([again.on - TODAY, again.whole.event], [1, camp]);
});

test('what lasts for months stands on its first and its last day only', () => {
  const long = days.placed(event('2026-12-01T10:00', '2027-03-01T18:00'));
  assert.deepEqual(days.byDay([long], TODAY).map(({ day }) => day), [long.first, long.last]);
  const month = days.placed(event('2026-12-01T10:00', '2026-12-31T18:00'));
  assert.equal(days.byDay([month], TODAY).length, 31);
  assert.equal(days.byDay([month], month.first + 3, month.first + 5).length, 3);
});
