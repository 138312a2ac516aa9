// Fixes of the anchor's page that the hub does not know yet: in batches, across a reload, and never too many.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

globalThis.location ??= { origin: 'http://hub.example' };
globalThis.navigator ??= { onLine: true }; // Node.js 18 has none
const { Unsent } = await page('/anchor/unsent.js');

/** A device that keeps things: what a page has left is there for the next one. */
function device() {
  const kept = new Map();
  return {
    kept,
    recall: async (key) => kept.get(key) && structuredClone(kept.get(key)),
    keep: async (key, body) => { kept.set(key, { body: structuredClone(body) }); },
    forget: async (key) => { kept.delete(key); },
  };
}

const fix = (at) => [at, 54.1, 10.2, 4];

test('what waited is sent in batches, the oldest first, and is forgotten when the hub has it', async () => {
  const store = device();
  const unsent = new Unsent(store);
  for (let at = 1; at <= 700; at += 1) unsent.add(fix(at));
  unsent.tell([{ at: 3, kind: 'warning' }]);
  await unsent.save();
  const first = unsent.first();
  assert.deepEqual([first.fixes.length, first.fixes[0][0], first.events.length, unsent.isUrgent], [500, 1, 1, true]);
  unsent.add(fix(701));
  unsent.done(first);
  const second = unsent.first();
  assert.deepEqual([second.fixes.length, second.fixes[0][0], second.events.length], [201, 501, 0]);
  assert.equal(unsent.isUrgent, false);
  unsent.done(second);
  await unsent.save();
  assert.equal(store.kept.size, 0);
});

test('a page that was ended leaves them to the next one, before its own', async () => {
  const store = device();
  const before = new Unsent(store);
  before.add(fix(1));
  before.tell([{ at: 1, kind: 'alarm' }]);
  await before.save();
  const next = new Unsent(store);
  next.add(fix(2));
  await next.restore();
  assert.deepEqual(next.first(), { fixes: [fix(1), fix(2)], events: [{ at: 1, kind: 'alarm' }] });
  next.done(next.first());
  await next.save();
  const last = new Unsent(store);
  await last.restore();
  assert.deepEqual(last.first(), { fixes: [], events: [] });
});

test('a night without a network is kept from its beginning, and bounded', () => {
  const unsent = new Unsent(device());
  for (let at = 0; at < 40_000; at += 1) unsent.add(fix(at));
  const all = [];
  for (let part = unsent.first(); part.fixes.length; part = unsent.first()) {
    all.push(...part.fixes.map(([at]) => at));
    unsent.done(part);
  }
  assert.ok(all.length <= 5_000 && all[0] === 0 && all.at(-1) > 39_980, `${all.length}: ${all[0]} to ${all.at(-1)}`);
  const steps = all.slice(1).map((at, index) => at - all[index]);
  assert.ok(steps.every((step) => step > 0) && Math.max(...steps) <= 16, String(Math.max(...steps)));
});

test('a report that reaches nobody says that the hub is lost, and the next one that it is back', async (context) => {
  const { isAlarm, isLost, own, report, status } = await page('/anchor/model.js');
  const { session } = await page('/session.js');
  const watch = { state: 'holding', settings: { zone: { shape: 'circle', radius_m: 40 } } };
  let reached = false;
  context.mock.method(globalThis, 'fetch', async () => {
    if (!reached) throw new TypeError('fetch failed');
    return Response.json(reached, { status: reached === watch ? 200 : 502 });
  });
  session.set({ person: { id: '1' } });
  status.set(watch);
  own.set({ state: 'lost', distance: null, at: null, accuracy: null, place: null });
  assert.equal(isAlarm(), false, 'others may see her');
  await assert.rejects(report({}), TypeError);
  assert.deepEqual([isLost(), isAlarm()], [true, true], 'nobody sees her, and nobody else rings');
  isLost.set(false);
  reached = {}; // a web server before the hub
  await assert.rejects(report({}), { status: 502 });
  assert.deepEqual([isLost(), isAlarm()], [true, true]);
  reached = watch;
  await report({});
  await new Promise((resolve) => { setTimeout(resolve, 20); });
  assert.deepEqual([isLost(), isAlarm()], [false, false]);
  session.set(null);
});

test('what the hub and a page have both seen is told once', async () => {
  const { once, sinceArmed } = await page('/anchor/night.js');
  const event = (kind, second) => ({ kind, at: new Date(second * 1000).toISOString(), distance_m: second });
  const events = [event('gap', 10), event('gap', 25), event('alarm', 30), event('alarm', 30.5), event('gap', 100)];
  assert.deepEqual(once(events).map(({ kind, at }) => [kind, at]), [['gap', 10], ['alarm', 30], ['gap', 100]]);
  // In the morning the page tells what was since the watch was armed, which may have been too long ago to be in it.
  const kinds = (list) => sinceArmed(list).map(({ kind }) => kind);
  assert.deepEqual(kinds([event('warning', 1), event('armed', 50), ...events.slice(-1)]), ['gap']);
  assert.deepEqual(kinds(events), ['gap', 'alarm', 'gap']);
});

test('without the hub an alarm rings on until somebody is on it, and what is long over does not', async (context) => {
  const { acknowledge, isAlarm, isLost, isUntold, own, reading, second, silence } = await page('/anchor/model.js');
  const { session } = await page('/session.js');
  const settings = { anchor: { lat: 54.1, lon: 10.2 }, zone: { shape: 'circle', radius_m: 40 } };
  const told = { state: 'alarm', settings, acknowledged_by: null };
  let isReached = true;
  context.mock.method(globalThis, 'fetch', async (_, { method } = {}) => {
    if (!isReached || method !== 'POST') throw new TypeError('fetch failed');
    return Response.json(told);
  });
  session.set({ person: { id: '1' } });
  own.set(null);
  const start = second.peek();
  await acknowledge(); // tells the page `told`, after which the hub is out of reach
  assert.deepEqual([isLost(), isAlarm()], [true, true], 'nobody is on it');
  isReached = false;
  await silence();
  assert.deepEqual([isAlarm(), isUntold()], [false, true]);
  second.set(start - 3600);
  assert.equal(isAlarm(), true, 'this device’s clock was put back, and it may be another alarm');
  second.set(start);
  isReached = true;
  for (const [changed, isStill] of [[{ state: 'holding' }, false], [{ acknowledged_by: 'Ben' }, false], [{}, true]]) {
    Object.assign(told, { state: 'alarm', acknowledged_by: null }, changed);
    await acknowledge();
    isLost.set(false);
    assert.equal(isUntold(), isStill, JSON.stringify(changed));
  }
  isLost.set(true);
  isReached = false;
  second.set(start + 200);
  assert.deepEqual([isAlarm(), isUntold()], [true, false], 'as when nobody had pressed it');
  second.set(start + 3700);
  assert.equal(isAlarm(), false, 'that was an hour ago');

  second.set(start + 200);
  isReached = true;
  told.acknowledged_by = 'Ben';
  await acknowledge();
  assert.deepEqual([isLost(), isAlarm()], [true, false], 'Ben is on it');
  own.set({ state: 'alarm', distance: 15, room: -5, at: start, accuracy: 3, place: [54.1, 10.2] });
  assert.deepEqual([isAlarm(), reading().room], [true, -5], 'this page sees her in what is kept out');
  own.set(null);
  session.set(null);
});
