// A page of the anchor watch on a device that slept: nothing of the watch before is sounded or judged.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mock, test } from 'node:test';
import { page } from './pages.mjs';

const NIGHT = 8 * 3600; // seconds
const ANCHOR = { lat: 54.43, lon: 10.17 };
const rules = readFileSync(new URL('../../.build/wasm/release/anchorwatch.wasm', import.meta.url));

let seen; // takes the fixes of the page's receiver
globalThis.location ??= { origin: 'http://hub.example' };
globalThis.document = {
  hidden: false, documentElement: { dataset: {} }, addEventListener() {}, activeElement: null,
  querySelector: () => null, querySelectorAll: () => [],
};
globalThis.addEventListener = globalThis.removeEventListener = () => {};
globalThis.dispatchEvent = () => true;
Object.defineProperty(globalThis, 'navigator', {
  configurable: true,
  value: {
    onLine: true, languages: ['en'],
    geolocation: { watchPosition: (take) => { seen = take; return 1; }, clearWatch() {} },
  },
});
let now = Date.parse('2026-11-20T22:00:00Z');
mock.method(Date, 'now', () => now);
mock.method(globalThis, 'setInterval', () => {});
const soon = globalThis.setTimeout;
mock.method(globalThis, 'setTimeout', (act, wait) => (wait < 1000 ? soon(act, wait) : 0));
const { isAlarm, isWaking, own, status } = await page('/anchor/model.js');
const { sound } = await page('/anchor/sound.js');
const { session } = await page('/session.js');
const { here, notice, startWatching, switchHere } = await page('/anchor/watching.js');
for (const name of ['allow', 'ring']) mock.method(sound, name, () => {});

const watch = (anchor, more = {}) => ({
  state: 'holding', armed: true, sources: [], acknowledged_by: null,
  settings: {
    anchor, zone: { shape: 'circle', radius_m: 40 }, warning: 0.8, excluded: [], gap_s: 60, lost_s: 120, grace_s: 30,
    creep: 0.3, beat_s: 60,
  },
  ...more,
});
let heard; // when the hub answers a report of the page; at once while it is undefined
let told; // the watch as the hub answers; a promise while the answer is on its way
mock.method(globalThis, 'fetch', async (url) => {
  if (url.endsWith('.wasm')) return new Response(rules);
  if (url.endsWith('/positions')) {
    await heard;
    return Response.json({});
  }
  if (url.includes('/track')) return Response.json({ fixes: [], gaps: [], events: [] });
  return Response.json(await told);
});
const settled = () => new Promise((resolve) => { setTimeout(resolve, 50); });
const fix = ({ lat, lon }) => seen({ coords: { latitude: lat, longitude: lon, accuracy: 4 }, timestamp: now });

test('it asks what has become of the watch before it judges a position or rings on', async () => {
  session.set({ person: { id: '1' } });
  told = watch(ANCHOR);
  status.set(told);
  startWatching();
  switchHere(true);
  await settled();
  fix(ANCHOR);
  for (let tries = 0; !own() && tries < 200; tries += 1) await settled(); // the rules, on a machine that is busy
  assert.equal(own().state, 'holding');
  // The anchor was weighed and dropped a mile further on while this device slept.
  const other = { lat: ANCHOR.lat + 1 / 60, lon: ANCHOR.lon };
  let answer;
  told = new Promise((resolve) => { answer = resolve; });
  status.set(watch(ANCHOR, { state: 'alarm' }));
  assert.ok(isAlarm());
  now += NIGHT * 1000;
  fix(other);
  assert.deepEqual([isWaking(), isAlarm(), own().distance < 5], [true, false, true]);
  answer(watch(other));
  await settled();
  assert.deepEqual([isWaking(), isAlarm(), own().state, own().distance < 5], [false, false, 'holding', true]);
});

test('it watches on where the anchor is dropped again before the hub has all that was seen', async () => {
  let answer;
  heard = new Promise((resolve) => { answer = resolve; });
  const again = { lat: ANCHOR.lat + 1 / 60, lon: ANCHOR.lon };
  status.set({ state: 'idle', sources: [] });
  await settled();
  told = watch(again);
  status.set(told);
  answer();
  heard = undefined;
  await settled();
  assert.ok(here().on);
  fix(again);
  assert.equal(own().state, 'holding');
});

test('without the hub it goes on with what it has seen', async () => {
  for (let second = 0; second < 60; second += 1) {
    now += 1000;
    fix(ANCHOR);
  }
  told = Promise.reject(new TypeError('fetch failed'));
  told.catch(() => {});
  assert.ok(isAlarm(), 'a mile from her anchor');
  now += NIGHT * 1000;
  notice();
  assert.deepEqual([isWaking(), isAlarm()], [true, false]);
  await settled();
  assert.deepEqual([isWaking(), isAlarm()], [false, true]);
  switchHere(false);
  session.set(null);
});
