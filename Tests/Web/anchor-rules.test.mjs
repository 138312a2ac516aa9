// The anchor watch's rules as WebAssembly: they judge as the native ones do.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { page } from './pages.mjs';

const { anchorRulesFrom, KINDS, STATES } = await page('/anchor/anchor-rules.js');
const root = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root));
const rules = await anchorRulesFrom(read('.build/wasm/release/anchorwatch.wasm'));
const vectors = (file) => JSON.parse(read(`Tests/Fixtures/anchor/${file}`));
const anchor = { lat: 54.1, lon: 10.2 };
const start = 1_790_000_000;

test('nights are judged as the vectors say, as they are natively', () => {
  for (const { name, settings, steps, events } of vectors('nights.json')) {
    const watch = rules.watch(settings, start);
    let time = start;
    const found = [];
    for (const step of steps) {
      if (step.wait) {
        time += step.wait;
        found.push(...watch.pass(time));
        continue;
      }
      const [metres, bearing, seconds, more] = step;
      for (let second = 0; second < seconds; second += 1) {
        time += 1;
        found.push(...watch.take({ time, ...rules.moved(anchor, bearing, metres), ...more }));
      }
    }
    assert.deepEqual(found.map(({ at, kind }) => [at - start, kind]), events, name);
  }
});

test('distances and bearings are as the vectors say', () => {
  for (const { from, to, distance_m: distance, bearing_deg: bearing } of vectors('places.json')) {
    const [one, other] = [from, to].map(([lat, lon]) => ({ lat, lon }));
    assert.ok(Math.abs(rules.distance(one, other) - distance) < Math.max(distance * 2e-4, 0.01));
    const turned = Math.abs(rules.bearing(one, other) - bearing);
    assert.ok(Math.min(turned, 360 - turned) < 0.2);
  }
});

test('codes have the names of Swift', () => {
  const swift = read('Sources/Portable/AnchorWatch/WatchEvent.swift').toString();
  const names = [...swift.matchAll(/case \.\w+: "([^"]+)"/g)].map(([, name]) => name);
  assert.deepEqual(names, [...KINDS, ...STATES]);
});

test('what is no place, and settings that are odd, are refused', () => {
  for (const [lat, lon] of [[0, 0], [214.7483647, 10], [NaN, 10], [54, 181]]) assert.ok(!rules.isPlace(lat, lon));
  assert.ok(rules.isPlace(0, 10) && rules.isPlace(54, 0));
  assert.throws(() => rules.watch({ anchor: { lat: 0, lon: 0 } }, start), RangeError);
  const points = Array.from({ length: 65 }, (_, index) => [54 + index / 1000, 10]);
  assert.throws(() => rules.watch({ anchor, zone: { shape: 'polygon', points } }, start), RangeError);
  const excluded = Array.from({ length: 17 }, () => ({ from_deg: 0, to_deg: 9, inner_m: 0, outer_m: 9 }));
  assert.throws(() => rules.watch({ anchor, excluded }, start), RangeError);
});

test('a replay counts, the swing is found, and the rode is as long as it is', () => {
  const track = Array.from({ length: 400 }, (_, index) => {
    const { lat, lon } = rules.moved(anchor, index / 2, index < 300 ? 30 : 45);
    return [start + index, lat, lon];
  });
  const zone = { shape: 'circle', radius_m: 40 };
  const raw = rules.replay({ anchor, zone, warning: 1 }, [...track, [start + 999, 0, 0]], { raw: true });
  assert.deepEqual([raw.fixes, raw.refused, raw.gaps, raw.outside], [400, 1, 0, 100]);
  assert.deepEqual(raw.events.map(({ at, kind }) => [at - start, kind]), [[300, 'alarm']]);
  assert.ok(Math.abs(raw.max_m - 45) < 0.01);
  const real = rules.replay({ anchor, zone, warning: 1 }, track);
  assert.deepEqual(real.events.map(({ at, kind }) => [at - start, kind]), [[330, 'alarm']]);
  const places = track.slice(0, 300).map(([, lat, lon]) => ({ lat, lon }));
  const swing = rules.swing(places, 5, rules.moved(anchor, 30, 12));
  assert.ok(rules.distance(swing.anchor, anchor) < 0.1 && swing.isBetter && swing.arc_deg > 130);
  assert.equal(rules.swing(places.slice(0, 50), 5), null);
  const rode = { length_m: 50, depth_m: 8, bow_height_m: 1.2 };
  assert.ok(Math.abs(rules.rode(rode, 1_000).swing_m - 48.24) < 0.01);
  assert.equal(rules.rode({ length_m: 5, depth_m: 8 }).straight_m, null);
  assert.equal(rules.radius(30, 4, 2), 59);
  assert.ok(Math.abs(rules.pull(15.4, 10, 3.2) - 1_273) < 1);
});

test('looks, changes and the state are told', () => {
  const watch = rules.watch({ anchor, zone: { shape: 'circle', radius_m: 100 } }, start);
  assert.equal(watch.now().state, 'waiting');
  watch.take({ time: start + 1, ...rules.moved(anchor, 270, 60) });
  const now = watch.now();
  assert.equal(now.state, 'holding');
  assert.ok(Math.abs(now.distance_m - 60) < 0.01 && Math.abs(now.bearing_deg - 270) < 0.1);
  assert.ok(Math.abs(now.share - 0.6) < 0.001 && Math.abs(now.room_m - 40) < 0.01);
  assert.ok(Math.abs(watch.nextCheck(false) - 20) < 0.1 && watch.nextCheck(true) === 1);
  const zone = { shape: 'sector', from_deg: 150, to_deg: 210, outer_m: 60 };
  assert.ok(Math.abs(rules.warningRoom({ anchor, zone }) - 4) < 0.05, 'a circle of 20 m fits into it');
  assert.ok(Math.abs(watch.now().room_m - 40) < 0.01, 'which changes nothing for the watch');
  watch.change({ anchor: rules.moved(anchor, 270, 60) });
  assert.ok(watch.now().distance_m < 0.01);
});
