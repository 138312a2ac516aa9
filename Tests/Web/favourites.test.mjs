import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const {
  answered, changes, goneOf, merged, missing, momentAfter, pruned, snapshot, winner,
} = await page('/programme/favourites-merge.js');

const START = Date.parse('2026-11-20T18:00:00.000Z');
const at = (offset) => new Date(START + offset).toISOString();
const record = (event, kept, offset, seen = { title: event }) => ({ event, kept, at: at(offset), seen });

/** Pseudo-random numbers, the same for the same seed (Park and Miller). */
const dice = (seed) => () => { seed = (seed * 48_271) % 2_147_483_647; return seed; };

function shuffled(all, roll) {
  const rest = [...all];
  return all.map(() => rest.splice(roll() % rest.length, 1)[0]);
}

test('in whatever order and however often lists are merged, the end is the same', () => {
  const seed = 1 + (Date.now() % 1_000_000);
  const roll = dice(seed);
  for (let round = 0; round < 300; round += 1) {
    const words = Array.from({ length: 12 }, () =>
      record(`e${roll() % 4}`, roll() % 2 === 0, roll() % 5, { title: `t${roll() % 3}` }));
    const lists = words.map((one) => ({ [one.event]: one }));
    const expected = lists.reduce(merged, {});
    for (let again = 0; again < 5; again += 1) {
      const twice = shuffled([...lists, ...lists], roll);
      const half = roll() % twice.length;
      const left = twice.slice(0, half).reduce(merged, {});
      const right = twice.slice(half).reduce(merged, {});
      assert.deepEqual(merged(right, left), expected, `seed ${seed}, round ${round}`);
    }
  }
});

test('the latest word counts, and of two at the same moment the one that keeps', () => {
  assert.equal(winner(record('a', true, 1), record('a', false, 2)).kept, false);
  assert.equal(winner(record('a', false, 2), record('a', true, 3)).kept, true);
  assert.equal(winner(record('a', false, 2), record('a', true, 2)).kept, true);
  assert.equal(winner(record('a', true, 2), record('a', false, 2)).kept, true);
  const berlin = { ...record('a', false, 0), at: '2026-11-20T19:00:00.001+01:00' };
  assert.equal(winner(record('a', true, 0), berlin).kept, false, 'instants are compared, not texts');
});

test('a word that is given later counts, even when the clock was set back', () => {
  const before = record('a', true, 60_000);
  const after = { ...before, kept: false, at: momentAfter(before, START) };
  assert.equal(winner(before, after), after);
  assert.equal(momentAfter(undefined, START), at(0));
});

test('two devices that were offline lose nothing, whoever comes first', () => {
  /** A hub as the API describes it. */
  const hub = () => {
    let list = {};
    return (sent) => {
      list = merged(list, Object.fromEntries(sent.map((one) => [one.event, one])));
      return Object.values(list);
    };
  };
  const phone = { a: record('a', true, 1), b: record('b', true, 2), c: record('c', false, 9) };
  const laptop = { b: record('b', false, 3), c: record('c', true, 4), d: record('d', true, 5) };
  for (const order of [[phone, laptop], [laptop, phone]]) {
    const post = hub();
    const told = order.map((device) => answered(device, Object.values(device), post(Object.values(device))));
    const [first, second] = told.map((device) => answered(device, [], post([])));
    assert.deepEqual(first, second);
    const kept = Object.values(first).filter((one) => one.kept).map(({ event }) => event).sort();
    assert.deepEqual(kept, ['a', 'd']);
    assert.ok(Object.values(first).every(({ sent }) => sent));
  }
});

test('what a person says while the hub answers is not overwritten by the answer', () => {
  const sent = [record('a', true, 1)];
  const meanwhile = { a: record('a', false, 2) };
  const after = answered(meanwhile, sent, [record('a', true, 1)]);
  assert.equal(after.a.kept, false);
  assert.equal(after.a.sent, undefined, 'and the hub still has to hear it');
});

test('the hub’s time counts for what came from a clock that is ahead', () => {
  const ahead = record('a', true, 86_400_000);
  const after = answered({ a: ahead }, [ahead], [record('a', true, 0)]);
  assert.equal(after.a.at, at(0));
});

test('a removal is remembered until a year after the event, and what the hub forgot counts as heard', () => {
  const removed = record('a', false, 0, { end: at(0) });
  assert.deepEqual(Object.keys(pruned({ a: removed }, START + 365 * 86_400_000)), ['a']);
  assert.deepEqual(pruned({ a: removed }, START + 367 * 86_400_000), {});
  assert.equal(answered({ a: removed }, [removed], []).a.sent, true);
});

test('a note that another tab takes out while they are read is passed over', async () => {
  const { note, noted } = await page('/programme/favourites-journal.js');
  class Storage {
    getItem(key) { return this[key] ?? null; }
    setItem(key, text) { this[key] = text; }
    removeItem(key) { delete this[key]; }
  }
  globalThis.localStorage = new Storage();
  try {
    note(null, record('a', true, 0));
    const takeOut = note(7, record('b', true, 0));
    note(7, record('c', true, 0));
    Object.defineProperty(localStorage, 'getItem', { value(key) {
      takeOut();
      return Storage.prototype.getItem.call(this, key);
    } });
    assert.deepEqual(noted().map(({ owner, record: { event } }) => [owner, event]), [[null, 'a'], ['7', 'c']]);
  } finally {
    delete globalThis.localStorage;
  }
});

test('a browser that keeps nothing shows favourites all the same, and that they are fleeting', async () => {
  globalThis.location ??= { origin: 'http://hub.example' };
  globalThis.BroadcastChannel = class { // as Firefox while cookies are blocked
    constructor() { throw new DOMException('The operation is insecure.', 'SecurityError'); }
  };
  const { isFleeting, toggleFavourite } = await page('/programme/favourites.js');
  const { favourites } = await page('/programme/favourites-list.js');
  await toggleFavourite({ id: 'a', title: 'Fog' });
  assert.deepEqual([[...favourites.peek().keys()], isFleeting.peek()], [['a'], true]);
});

test('of what is missing, the hub knows what is gone; without it what is known on the device counts', () => {
  const seen = (days) => ({ title: 'a', start: at(days * 86_400_000), end: at((days + 1) * 86_400_000) });
  const marks = [record('here', true, 0, seen(1)), record('away', true, 0, seen(1)), record('far', true, 0, seen(500)),
    record('over', true, 0, seen(-1)), record('unseen', true, 0, null)];
  const programme = { events: [{ id: 'here' }], sources: [{ as_of: at(0) }] };
  const unread = { ...programme, sources: [{ as_of: at(0) }, { as_of: null }] };
  const ids = (records) => records.map(({ event }) => event);
  const lost = missing(marks, programme, START);
  assert.deepEqual(ids(lost), ['away', 'far']);
  const until = START + 400 * 86_400_000;
  assert.deepEqual(ids(goneOf(lost, new Map(), programme, until)), ['away']);
  assert.deepEqual(ids(goneOf(lost, new Map(), unread, until)), []);
  assert.deepEqual(ids(goneOf(lost, new Map([['away', false], ['far', true]]), programme, until)), ['far']);
  assert.deepEqual(ids(goneOf(lost, new Map([['away', true]]), unread, until)), ['away']);
});

test('what has changed since it was marked', () => {
  const event = {
    id: 'a', title: 'Talks', start: '2026-11-20T19:00:00+01:00', end: '2026-11-20T21:00:00+01:00', location: null,
    status: 'confirmed',
  };
  const seen = snapshot(event);
  assert.deepEqual(changes(seen, event), []);
  assert.deepEqual(changes(seen, { ...event, start: '2026-11-20T18:00:00Z', end: '2026-11-20T20:00:00Z' }), []);
  assert.deepEqual(changes(seen, { ...event, start: '2026-11-20T20:00:00+01:00' }), ['start']);
  assert.deepEqual(changes(seen, { ...event, location: 'Attic', status: 'cancelled' }), ['location', 'status']);
  assert.deepEqual(changes(undefined, event), []);
});
