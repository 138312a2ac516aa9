// The anchor's page: its rules as WebAssembly, the plot's geometry, numbers as people type them, and the words.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { page } from './pages.mjs';

const { anchorRulesFrom } = await page('/anchor/anchor-rules.js');
const { bearingOf, circle, degrees, metres, placeAt, sector, shown, trailsOf, vector, zonePath } =
  await page('/anchor/geometry.js');
const { english } = await page('/anchor/words-en.js');
const { german } = await page('/anchor/words-de.js');
const { english: armingEnglish } = await page('/anchor/arm/words-en.js');
const { german: armingGerman } = await page('/anchor/arm/words-de.js');
const { dictionary: warnings } = await page('/anchor/arm/warnings.js');
const { typed } = await page('/anchor/arm/numbers.js');
const { rangs, thinned } = await page('/anchor/arm/rang.js');

const rules = await anchorRulesFrom(readFileSync(
  new URL('../../.build/wasm/release/anchorwatch.wasm', import.meta.url)));
const ANCHOR = [54.43, 10.17];
const settings = {
  anchor: { lat: ANCHOR[0], lon: ANCHOR[1] }, zone: { shape: 'circle', radius_m: 40 }, warning: 0.8, excluded: [],
  gap_s: 60, lost_s: 120, grace_s: 30, creep: 0.3, beat_s: 60,
};

/** A fix each second from `start` to `end`, so many metres south of the anchor; the kinds of what was said. */
function lies(watch, start, end, far) {
  const kinds = [];
  for (let at = start; at <= end; at += 1) {
    const [lat, lon] = placeAt(vector(180, far), ANCHOR);
    kinds.push(...watch.take({ time: at, lat, lon, accuracy: 3, hdop: 1 }).map(({ kind }) => kind));
  }
  return kinds;
}

test('the page watches by the rules: it holds, warns, rings, is clear, and loses its position', () => {
  const watch = rules.watch(settings, 1000);
  assert.equal(watch.now().state, 'waiting');
  assert.deepEqual(lies(watch, 1001, 1060, 20), []);
  assert.equal(watch.now().state, 'holding');
  assert.ok(Math.abs(watch.now().distance_m - 20) < 0.5 && Math.abs(watch.now().share - 0.5) < 0.02);
  const said = lies(watch, 1061, 1200, 48);
  assert.ok(said.includes('alarm'), String(said));
  assert.equal(watch.now().state, 'alarm');
  assert.ok(lies(watch, 1201, 1400, 15).includes('clear'));
  assert.deepEqual(watch.pass(1400 + 121).map(({ kind }) => kind).filter((kind) => kind !== 'gap'), ['position lost']);
  assert.equal(watch.now().state, 'lost');
});

test('settings that change while it watches count at once, and a place that is none is refused', () => {
  const watch = rules.watch(settings, 0);
  lies(watch, 1, 60, 30);
  assert.equal(watch.now().state, 'holding');
  watch.change({ ...settings, zone: { shape: 'circle', radius_m: 20 } });
  lies(watch, 61, 160, 30);
  assert.equal(watch.now().state, 'alarm');
  assert.throws(() => rules.watch({ ...settings, anchor: { lat: 0, lon: 0 } }, 0), RangeError);
  assert.throws(() => rules.watch({ ...settings, anchor: { lat: NaN, lon: 10 } }, 0), RangeError);
});

test('settings that are told again and again, unchanged, keep no alarm from coming or ending', () => {
  const watch = rules.watch(settings, 0);
  const refreshed = (start, end, far) => {
    const kinds = [];
    for (let at = start; at < end; at += 10) {
      watch.change(structuredClone(settings));
      kinds.push(...lies(watch, at, at + 9, far));
    }
    return kinds;
  };
  refreshed(1, 61, 20);
  assert.ok(refreshed(61, 181, 48).includes('alarm'));
  assert.equal(watch.now().state, 'alarm');
  assert.ok(refreshed(181, 301, 15).includes('clear'));
  assert.equal(watch.now().state, 'holding');
  watch.change({ ...settings, zone: { shape: 'circle', radius_m: 10 } });
  watch.change(settings);
  assert.deepEqual(refreshed(301, 361, 15), [], 'a change counts, and so does its undoing');
});

test('metres and places: there and back, across the date line, and at latitude 0', () => {
  for (const from of [ANCHOR, [-17, 180], [0, -179.9999], [0, 12]]) {
    for (const bearing of [0, 62, 180, 299]) {
      const place = placeAt(vector(bearing, 120), from);
      assert.ok(Math.abs(place[1]) <= 180, String(place));
      const back = metres(place, from);
      assert.ok(Math.abs(Math.hypot(...back) - 120) < 0.1 && Math.abs(bearingOf(back) - bearing) < 0.1);
    }
  }
  assert.deepEqual([degrees(7.4), degrees(359.8), degrees(62)], ['007', '000', '062']);
  assert.deepEqual([shown(19.6), shown(1240)], [[20, 'm'], [1.2, 'km']]);
});

test('zones are drawn as they are meant', () => {
  assert.equal(zonePath(settings).reach, 40);
  assert.match(circle(40), /^M40 0A40 40/);
  const slice = { shape: 'sector', from_deg: 350, to_deg: 10, inner_m: 10, outer_m: 40 };
  assert.match(sector(slice), /A40 40 0 0 1 /, 'a narrow sector across north goes the short way');
  const corners = [0, 120, 240].map((bearing) => placeAt(vector(bearing, 30), ANCHOR));
  const { reach, edge } = zonePath({ ...settings, zone: { shape: 'polygon', points: corners } });
  assert.ok(Math.abs(reach - 30) < 0.1 && edge.endsWith('z'));
});

test('the track has its age, and a gap is a gap', () => {
  const at = (seconds, far) => [seconds, ...placeAt([0, -far], ANCHOR)];
  const fixes = [at(0, 10), at(20, 11), at(5000, 12), at(5020, 13)];
  const { trails, gaps } = trailsOf(fixes, [[20, 5000]], ANCHOR, 5020, 7000);
  assert.equal(gaps.match(/M/g).length, 1);
  assert.ok(trails[0].length > 0 && trails[5].length > 0 && trails[2] === '');
});

test('a replay is told with how long each ring lasted', () => {
  const events = [
    { at: '2026-11-20T18:00:00Z', kind: 'warning', distance_m: 35 },
    { at: '2026-11-20T18:02:00Z', kind: 'clear', distance_m: 30 },
    { at: '2026-11-20T19:00:00Z', kind: 'alarm', distance_m: 42 },
  ];
  assert.deepEqual(rangs(events).map(({ kind, lasted }) => [kind, lasted]), [['warning', 120], ['alarm', null]]);
  const all = Array.from({ length: 5000 }, (_, index) => [index, index === 777 ? 99 : 20]);
  assert.ok(thinned(all, 200).some(([, far]) => far === 99), 'what rang is never thinned away');
});

test('numbers are read as people type them', () => {
  assert.deepEqual(['4,5', ' 4.5 ', '', '-1', '12m', '1e3'].map(typed), [4.5, 4.5, null, -1, NaN, NaN]);
});

test('a time ago, and how often it would have rung', () => {
  assert.deepEqual([3569, 7169, 7170, 7200].map(english.span), ['59 min', '1 h 59 min', '2 h 0 min', '2 h 0 min']);
  assert.deepEqual([7169, 7170, 172_799].map((one) => german.span(one)), ['1 h 59 min', '2 h 0 min', '48 h 0 min']);
  const days = 3 * 86_400;
  assert.deepEqual([german.age(days), german.heard(0, days), german.span(days)],
    ['vor 3 Tagen', 'zuletzt vor 3 Tagen', '3 Tage']);
  assert.equal(english.roomPicture(1, 22), '1 metre from the anchor: 22 metres of room');
  assert.match(armingEnglish.distancesPicture('1 m', '9 m', 1), /would have rung once\.$/);
  assert.match(armingGerman.distancesPicture('1 m', '9 m', 1), /hätte einmal geläutet\.$/);
});

test('both languages have the same words', () => {
  const keys = (it, path = '') => Object.entries(it).flatMap(([key, value]) =>
    (value && typeof value === 'object' && !Array.isArray(value) ? keys(value, `${path}${key}.`) : `${path}${key}`));
  assert.deepEqual(keys(german).sort(), keys(english).sort());
  assert.deepEqual(keys(armingGerman).sort(), keys(armingEnglish).sort());
  assert.deepEqual(keys(warnings.de).sort(), keys(warnings.en).sort());
});
