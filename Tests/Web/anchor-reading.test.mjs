// The board's figures, as the hub and this page have seen them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

globalThis.location ??= { origin: 'http://hub.example' };
globalThis.navigator ??= { onLine: true }; // Node.js 18 has none
const { own, reading, status } = await page('/anchor/model.js');
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
