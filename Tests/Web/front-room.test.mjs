// The rooms' parts outside of their pages, without a browser: the next event in a few letters, the cards of a front
// room, and the small board below the sign.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { shape } from './shape.mjs';

const { LONGEST, nextOf, shortened, untilOf } = await page('/programme/next.js');
const { dictionary } = await page('/programme/state-words.js');
const { onWatch } = await page('/watch-plan.js');
const { plateDictionary, plateLines } = await page('/space/plate-words.js');
const { addressLines } = await page('/map.js');
const { stepsOf } = await page('/checklist-plan.js');

test('what the programme and the plate say is said in both languages', () => {
  assert.deepEqual(shape(dictionary.de), shape(dictionary.en));
  assert.deepEqual(shape(plateDictionary.de), shape(plateDictionary.en));
});

test('a line of the navigation has at most 22 letters, and ends with a word where it can', () => {
  assert.equal(shortened('Tue 18:00 Chaostreff'), 'Tue 18:00 Chaostreff');
  assert.equal(shortened('Today 15:00 Sewing and soft circuits'), 'Today 15:00 Sewing…');
  assert.equal(shortened('Tonight 19:00 Donaudampfschifffahrt'), 'Tonight 19:00 Donauda…');
  assert.equal(shortened('Heute 19:00 Löten, für alle'), 'Heute 19:00 Löten…');
  for (const text of ['x'.repeat(80), '🛶'.repeat(80), 'a b '.repeat(30)]) {
    assert.ok([...shortened(text)].length <= LONGEST, text);
  }
});

const TODAY = 100;
const it = (title, first, startsAt, more = {}) => ({
  event: { title, status: 'confirmed', ...more }, first, startsAt, endsAt: startsAt + 2,
});
const at = {
  now: 50, today: TODAY, isOver: (one, now) => one.endsAt <= now,
  isRunning: ({ event, startsAt, endsAt }, now) => !event.all_day && startsAt <= now && endsAt > now,
};
const next = (...events) => {
  const found = nextOf(events, at);
  return found && [found.it.event.title, found.isNow];
};

test('what runs comes before what is to come, and that before what lasts all day', () => {
  const over = it('over', TODAY, 10);
  const runs = it('runs', TODAY, 49);
  const soon = it('soon', TODAY, 60);
  const allDay = { ...it('all day', TODAY, 40, { all_day: true }), endsAt: 90 };
  const later = it('later', TODAY + 1, 80);
  assert.deepEqual(next(later, soon, allDay, runs, over), ['runs', true]);
  assert.deepEqual(next(later, allDay, soon, over), ['soon', false]);
  assert.deepEqual(next(later, allDay, over), ['all day', false]);
  assert.deepEqual(next(over, later, it('sooner', TODAY + 1, 75)), ['sooner', false]);
  assert.equal(next(over), undefined);
});

test('what is cancelled does not come next', () => {
  assert.deepEqual(next(it('off', TODAY, 60, { status: 'cancelled' }), it('on', TODAY + 3, 99)), ['on', false]);
});

test('what runs for days is said to end on its last day alone', () => {
  const camp = { first: TODAY, last: TODAY + 2, to: '12:00' };
  assert.deepEqual([0, 1, 2].map((later) => untilOf(camp, TODAY + later)), [null, null, '12:00']);
  assert.equal(untilOf({ first: TODAY - 1, last: TODAY - 1, to: '02:00' }, TODAY), '02:00', 'after midnight');
  assert.equal(untilOf({ first: TODAY, last: TODAY, to: null }, TODAY), null);
});

test('only rooms that have something to say stand on a front room, those that want a look first', () => {
  const rooms = ['space', 'programme', 'anchor', 'clock', 'apps'].map((id) => ({ id }));
  const states = {
    space: { lamp: 'closed', card: { says: 'Closed' } }, programme: { lamp: 'good', card: { says: 'Now' } },
    anchor: { lamp: 'good', card: { says: 'Holding' } }, clock: { lamp: 'bad', card: { says: 'Silent' } },
    apps: { text: '2 connected' },
  };
  const ids = (shown) => onWatch(rooms, (id) => states[id], new Set(shown)).map(({ id }) => id);
  assert.deepEqual(ids([]), ['clock', 'space', 'programme', 'anchor']);
  assert.deepEqual(ids(['space', 'programme']), ['clock', 'anchor'], 'what the page shows is not said twice');
  states.programme.lamp = 'warn';
  assert.deepEqual(ids(['space', 'programme']), ['programme', 'clock', 'anchor'], 'but for what wants a look');
});

test('the little board says what comes next, and that it opens only where somebody will open', () => {
  const said = (open, plate, isGuest = false, to = 'en') => {
    const usual = { when: 'Tue 18:00', what: 'Chaostreff', isNow: false, until: '23:00', by: [], isWanted: false };
    const { when, what } = plateLines(open, { ...usual, ...plate }, isGuest, plateDictionary[to]);
    return `${when} / ${what}`;
  };
  assert.equal(said(false, { by: ['Ada'] }), 'Opens Tue 18:00 / Chaostreff, Ada will open');
  assert.equal(said(false, { by: ['Ada', null] }), 'Opens Tue 18:00 / Chaostreff, Ada and you will open');
  assert.equal(said(false, { by: [null] }, false, 'de'), 'Öffnet Tue 18:00 / Chaostreff, du schließt auf');
  assert.equal(said(false, {}), 'Tue 18:00 / Chaostreff');
  assert.equal(said(false, { when: 'tonight 19:00', isWanted: true }), 'Tonight 19:00 / Chaostreff. Nobody opens yet');
  assert.equal(said(true, { by: ['Ada'] }), 'Tue 18:00 / Chaostreff', 'it is open already');
  assert.equal(said(true, { isNow: true }), 'Until about 23:00 / Chaostreff');
  assert.equal(said(true, { isNow: true }, true), 'Until about 23:00 / Chaostreff, come in and look');
  assert.equal(said(true, { isNow: true, until: null }), 'On now / Chaostreff');
  assert.equal(said(false, { isNow: true, by: ['Ada'] }), 'On now / Chaostreff', 'nobody is promised an open door');
});

test('an address has a first line', () => {
  assert.deepEqual(addressLines('Am Speicher 8, 28195 Bremen, Germany'), ['Am Speicher 8', '28195 Bremen, Germany']);
  assert.deepEqual(addressLines('Am Speicher 8, yard\n28195 Bremen'), ['Am Speicher 8, yard', '28195 Bremen']);
  assert.deepEqual(addressLines('Bremen'), ['Bremen', '']);
});

test('steps of one id are one, done when one of its rooms is, said by the rooms that are shown', () => {
  const own = [{ id: 'name', order: 10, to: '/settings/place', isDone: () => true },
    { id: 'source', order: 20 }, { id: 'people', to: '/people', isDone: () => undefined }];
  const added = [
    { id: 'source', room: 'door', hint: 'a contact', to: '/door', isDone: () => false },
    { id: 'source', room: 'clock', hint: 'a voice', to: '/clock', isDone: () => undefined },
    { id: 'bell', room: 'clock', order: 30, text: 'Ring once', hint: 'to hear it', to: '/clock', isDone: () => false },
  ];
  const said = (shown) => stepsOf(own, added, shown, ' or ').map(({ id, hint, to, isDone }) =>
    [id, hint, to, isDone()]);
  assert.deepEqual(said(['clock', 'door']), [
    ['name', undefined, '/settings/place', true], ['source', 'a voice or a contact', '/clock', undefined],
    ['bell', 'to hear it', '/clock', false], ['people', undefined, '/people', undefined],
  ]);
  assert.deepEqual(said(['door']).map(([id, hint]) => [id, hint]),
    [['name', undefined], ['source', 'a contact'], ['people', undefined]]);
  const ways = (shown) => stepsOf(own, added, shown, ' or ').find(({ id }) => id === 'source').ways;
  assert.deepEqual(ways(['clock', 'door']), [{ hint: 'a voice', to: '/clock' }, { hint: 'a contact', to: '/door' }]);
  assert.deepEqual(ways(['door']), [], 'one way is the step itself');
  assert.deepEqual(said([]).map(([id]) => id), ['name', 'people'], 'what nobody can do is no step');
  added[1].isDone = () => true;
  assert.equal(said(['door', 'clock'])[1][3], true);
});
