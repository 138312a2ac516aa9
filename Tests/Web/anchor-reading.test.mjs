// The board's figures, as the hub and this page have seen them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

globalThis.location ??= { origin: 'http://hub.example' };
globalThis.navigator ??= { onLine: true }; // Node.js 18 has none
const {
  draftRules, hubSecond, isAlarm, own, reading, refreshTrack, second, silence, status, tick, track, warningRoom, whenOf,
} = await page('/anchor/model.js');
const { now, place } = await page('/place.js');
const { noteClock } = await page('/keep.js');
const { effect } = await page('/ui.js');
const { placeAt } = await page('/anchor/geometry.js');

const ANCHOR = [54.43, 10.17];
const settings = { anchor: { lat: ANCHOR[0], lon: ANCHOR[1] }, zone: { shape: 'circle', radius_m: 40 }, warning: 0.8 };
const at = '2026-11-20T18:40:00Z';

/** The answer of a hub that sees the antenna so many metres east and north of the anchor. */
function told([east, north], more = {}) {
  const [lat, lon] = placeAt([east, north], ANCHOR);
  return { state: 'holding', settings, distance_m: 26.4, bearing_deg: 171, share: 0.66, room_m: 13.6,
    fix: { at, lat, lon, heading_deg: null }, sources: [], ...more };
}

test('since when she lies is told with the day, unless that is today', () => {
  place.set({ timezone: 'Europe/Berlin' });
  now.set(Date.parse('2026-11-23T12:00:00Z'));
  assert.deepEqual(['2026-11-23T09:05:00Z', '2026-11-22T23:30:00Z', '2026-11-22T20:10:00Z', '2026-11-20T20:10:00Z']
    .map((time) => whenOf(Date.parse(time) / 1000)), ['10:05', '00:30', 'yesterday 21:10', 'Friday 21:10']);
});

test('where a heading is told, the anchor bears from the bow, and this page\'s own fix has none', () => {
  const hub = told([0, -26.1]);
  status.set({ ...hub, fix: { ...hub.fix, heading_deg: 90 } });
  assert.deepEqual([reading().bearing, reading().heading, reading().distance], [351, 90, 26.4]);
  own.set({ state: 'holding', distance: 26.1, room: 13.9, at: Date.parse(at) / 1000 + 60, accuracy: 5,
    place: placeAt([0, -26.1], ANCHOR) });
  assert.deepEqual([Math.round(reading().bearing) % 360, reading().heading], [0, null]);
  own.set(null);
  status.set({ ...hub, distance_m: null, bearing_deg: null, share: null, room_m: null, fix: null });
  assert.deepEqual([reading().bearing, reading().heading, reading().place], [null, null, null]);
});

test('a page without a position of its own does not say that she holds where the hub only waits for one', () => {
  status.set(told([0, -26], { state: 'waiting' }));
  own.set({ state: 'lost', distance: 26, room: 14, at: Date.parse(at) / 1000, accuracy: 5, place: ANCHOR });
  assert.equal(reading().state, 'waiting');
  status.set(told([0, -26]));
  assert.equal(reading().state, 'holding', 'others see her');
  own.set(null);
});

test('who is on one alarm has not silenced another kind on this page', async (context) => {
  context.mock.method(globalThis, 'fetch', async () => Response.json({}));
  const ring = (state, ...kinds) => {
    const alarms = kinds.map((kind) => ({ kind, since: at, rings: 1 }));
    status.set(told([0, -60], { state, alarms, acknowledged_by: null }));
  };
  own.set({ state: 'holding', distance: null, room: null, at: null, accuracy: null, place: null });
  ring('lost', 'position lost');
  assert.ok(isAlarm());
  await silence();
  ring('lost', 'position lost');
  assert.ok(!isAlarm());
  ring('alarm', 'alarm');
  assert.ok(isAlarm(), 'she is found outside');
  await silence();
  ring('alarm', 'alarm');
  assert.ok(!isAlarm());
  ring('lost', 'alarm', 'boat lost');
  assert.ok(isAlarm(), 'and then lost from sight');
  own.set(null);
});

test('the warning is so many metres before the edge: the hub has told them, and the rules say them of a draft', () => {
  const zone = { shape: 'sector', from_deg: 150, to_deg: 210, inner_m: 0, outer_m: 60 };
  assert.equal(Math.round(warningRoom(settings)), 8, 'of a circle they are plain');
  status.set(told([0, -30], { settings: { ...settings, zone }, warning_room_m: 4 }));
  assert.deepEqual([reading().warn, reading().alarm, reading().share], [4, 60, 0.66]);
  const draft = { ...settings, zone: { ...zone, outer_m: 90 } };
  assert.equal(warningRoom(draft), null, 'nobody has said it yet');
  draftRules.set({ warningRoom: ({ zone: { outer_m: outer }, warning }) => (outer / 3) * (1 - warning) });
  assert.equal(Math.round(warningRoom(draft)), 6);
  assert.equal(warningRoom({ ...settings, zone, warning: 0 }), 20, 'the depth of the zone');
  draftRules.set(null);
});

test('where this device’s clock is a day behind, ages are those by the hub’s clock', () => {
  const answered = (time) => noteClock(new Response('', { headers: { Date: new Date(time).toUTCString() } }));
  const ticked = () => effect(tick)();
  const day = 86_400;
  answered(Date.now() + day * 1_000);
  ticked();
  status.set(told([0, -26], { fix: { at: new Date(Date.now() + (day - 30) * 1_000).toISOString(), lat: 0, lon: 0 } }));
  assert.ok(Math.abs(second() - reading().at - 30) < 3, `${second() - reading().at}`);
  assert.ok(Math.abs(hubSecond() - second() - day) < 3);
  answered(Date.now() + 2_000);
  ticked();
  assert.equal(hubSecond(), second(), 'that is the way of an answer');
});

test('a clock that is put back does not keep the page from the track for as long', async (context) => {
  const HOUR = 3_600_000;
  context.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.UTC(2026, 10, 20) });
  let asked = 0;
  context.mock.method(globalThis, 'fetch', async (url) => {
    if (url.includes('/track')) asked += 1;
    return Response.json({ fixes: [], gaps: [], events: [] });
  });
  const read = async () => {
    const reading = refreshTrack();
    context.mock.timers.tick(5_000);
    await reading;
  };
  await read();
  context.mock.timers.setTime(Date.now() - HOUR);
  await read();
  assert.equal(asked, 2);
});

test('of the track no more is asked for than what is new, and a little that a gap may end in', async () => {
  const kept = [globalThis.fetch, globalThis.setTimeout];
  globalThis.setTimeout = (act) => queueMicrotask(act);
  const now = Math.floor(Date.now() / 1000);
  const asked = [];
  const answer = async (fixes, gaps = [], events = []) => {
    globalThis.fetch = async (url) => {
      asked.push(now - Date.parse(new URL(url, 'http://hub.example').searchParams.get('since')) / 1000);
      return Response.json({ fixes, gaps, events });
    };
    await refreshTrack();
  };
  const fix = (ago) => [now - ago, 54.1, 10.2, 3];
  const event = (kind, ago) => ({ kind, at: new Date((now - ago) * 1000).toISOString() });
  try {
    await answer([fix(9_000), fix(500), fix(300)], [[now - 9_000, now - 500]], [event('armed', 9_000)]);
    await answer([fix(300), fix(10)], [[now - 300, now - 10]], [event('boat lost', 240)]);
    assert.ok(Math.abs(asked[0] - 6 * 3_600) <= 1, `${asked[0]}`);
    assert.equal(asked[1], 420);
    assert.deepEqual(track().fixes, [9_000, 500, 300, 10].map(fix));
    assert.deepEqual(track().gaps, [[now - 9_000, now - 500], [now - 300, now - 10]]);
    assert.deepEqual(track().events.map(({ kind }) => kind), ['armed', 'boat lost']);
    track.set({ ...track(), fixes: [...track().fixes, fix(5)] }); // of this page, while the hub was not reached
    await answer([fix(10), fix(6)]);
    assert.deepEqual(track().fixes, [9_000, 500, 300, 10, 6].map(fix), 'the hub tells them, too');
  } finally {
    [globalThis.fetch, globalThis.setTimeout] = kept;
  }
});
