// The anchor watch's rules in WebAssembly, and the same rule in plain JavaScript, over the fixes of AnchorBench:
// fixes a second, and what came out. node anchor-rules.mjs anchorwatch.wasm [COUNT [ROUNDS]]

import { readFileSync } from 'node:fs';

const [file, count = 1_000_000, rounds = 5] = process.argv.slice(2).map((word, index) => (index ? Number(word) : word));
const START = 1_790_000_000;
const anchor = { lat: 54.1, lon: 10.2 };

const module = await WebAssembly.compile(readFileSync(file));
const { exports: rules } = await WebAssembly.instantiate(module, { env: { random: () => {} } });

let state = 1;
const chance = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 4_294_967_296;
};
const [times, lats, lons] = [0, 1, 2].map(() => new Float64Array(count));
const track = Array.from({ length: 3_600 }, (_, second) => {
  const away = 25 + 5 * (chance() - 0.5);
  const bearing = (second / 600) * 57.29577951308232;
  return [
    rules.moved_latitude(anchor.lat, anchor.lon, bearing, away),
    rules.moved_longitude(anchor.lat, anchor.lon, bearing, away),
  ];
});
for (let number = 0; number < count; number += 1) {
  times[number] = START + number;
  [lats[number], lons[number]] = track[number % track.length];
}

function inWebAssembly() {
  rules.begin(anchor.lat, anchor.lon);
  rules.set_circle(50);
  rules.watch_start(START);
  let told = 0;
  const [most, buffer] = [rules.buffer_fixes(), rules.buffer_at()];
  for (let from = 0; from < count; from += most) {
    const fixes = Math.min(most, count - from);
    const numbers = new Float64Array(rules.memory.buffer, buffer, fixes * 5);
    for (let index = 0; index < fixes; index += 1) {
      const [at, to] = [from + index, index * 5];
      numbers[to] = times[at];
      numbers[to + 1] = lats[at];
      numbers[to + 2] = lons[at];
      numbers[to + 3] = NaN;
      numbers[to + 4] = NaN;
    }
    told += rules.watch_take_all(fixes);
  }
  return { told, distance: rules.watch_distance() };
}

// The same rule by hand, as a page without WebAssembly would have it: plane, glitches, gaps, confirmation, the middle
// of an hour.
class Confirmed {
  constructor() { this.holds = false; this.since = null; }
  judge(isSo, time, patience) {
    if (isSo === this.holds) { this.since = null; return false; }
    this.since ??= time;
    if (time - this.since < patience) return false;
    this.holds = isSo;
    this.since = null;
    return true;
  }
}
const RADIUS = 6_371_008.8;
const DEGREE = RADIUS * Math.PI / 180;
class Watch {
  constructor({ lat, lon }, radius, since) {
    Object.assign(this, { lat, lon, radius, heard: since, last: null, distance: 0, share: 0, refused: 0, jumps: 0 });
    Object.assign(this, { gap: 60, lost: 120, grace: 30, x: 0, y: 0, isSilent: false, isLost: false });
    this.perLongitude = DEGREE * Math.cos(lat * Math.PI / 180);
    this.narrowing = DEGREE * Math.sin(lat * Math.PI / 180) * Math.PI / 360;
    this.near = 1_000 / DEGREE;
    this.nearEast = 1_000 / this.perLongitude;
    this.warning = new Confirmed();
    this.alarm = new Confirmed();
    Object.assign(this, { samples: [], nextSample: -Infinity, nextLook: null, reference: null });
  }

  take(fix) {
    const { time, lat, lon, hdop, accuracy } = fix;
    const events = [];
    if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= 180) || (lat === 0 && lon === 0)) return events;
    if (!Number.isFinite(time)) return events;
    if (this.last && time <= this.heard) { this.refused += 1; return events; }
    const north = lat - this.lat;
    let east = lon - this.lon;
    if (east > 180) east -= 360; else if (east < -180) east += 360;
    let [x, y] = [0, 0];
    if (Math.abs(north) > this.near || Math.abs(east) > this.nearEast) {
      const [from, to, turn] = [this.lat, lat, east].map((degrees) => degrees * Math.PI / 180);
      const half = Math.sin((to - from) / 2) ** 2 + Math.cos(from) * Math.cos(to) * Math.sin(turn / 2) ** 2;
      const distance = 2 * RADIUS * Math.atan2(Math.sqrt(half), Math.sqrt(1 - half));
      const across = Math.sin(turn) * Math.cos(to);
      const along = Math.cos(from) * Math.sin(to) - Math.sin(from) * Math.cos(to) * Math.cos(turn);
      const length = Math.hypot(across, along);
      x = distance * across / length;
      y = distance * along / length;
    } else {
      x = east * (this.perLongitude - north * this.narrowing);
      y = north * DEGREE;
    }
    const silence = time - this.heard;
    if (silence >= this.gap && this.last && !this.isSilent) {
      this.isSilent = true;
      events.push({ at: this.heard + this.gap, kind: 'gap', distance: this.distance });
    }
    if (silence > this.lost && !this.isLost) {
      this.isLost = true;
      events.push({ at: this.heard + this.lost, kind: 'position lost', distance: this.distance });
    }
    const distance = Math.sqrt(x * x + y * y);
    const clearance = this.radius - distance;
    const error = accuracy ?? (hdop === undefined ? 0 : hdop * 5);
    if (error > 100 && Math.abs(clearance) < error) { this.refused += 1; return events; }
    if (this.last) {
      const reach = 15.4 * Math.max(silence, 1);
      const [dx, dy] = [x - this.x, y - this.y];
      if (dx * dx + dy * dy > reach * reach) {
        this.jumps += 1;
        if (this.jumps < 5) { this.refused += 1; return events; }
      }
    }
    this.jumps = 0;
    this.x = x;
    this.y = y;
    this.distance = distance;
    this.share = 1 - clearance / this.radius;
    this.last = fix;
    this.heard = time;
    this.isSilent = false;
    if (this.isLost) { this.isLost = false; events.push({ at: time, kind: 'position back', distance }); }
    const quality = Math.min(Math.max(hdop ?? (accuracy === undefined ? 1 : accuracy / 5), 1), 4);
    const before = this.alarm.holds ? 2 : this.warning.holds ? 1 : 0;
    const isNear = this.warning.judge(this.share > 0.8, time, this.grace * quality);
    const isOut = this.alarm.judge(clearance < 0, time, this.grace * quality);
    if (isNear || isOut) {
      const now = this.alarm.holds ? 2 : this.warning.holds ? 1 : 0;
      if (now < before) events.push({ at: time, kind: 'clear', distance });
      if (now !== before && now > 0) events.push({ at: time, kind: now === 2 ? 'alarm' : 'warning', distance });
    }
    if (time >= this.nextSample && this.creeps(x, y, time)) events.push({ at: time, kind: 'creep', distance });
    return events;
  }

  creeps(x, y, time) {
    this.nextSample = time + 10;
    this.samples.push({ time, x, y });
    if (this.nextLook === null) { this.nextLook = time + 3_600; return false; }
    if (time < this.nextLook) return false;
    this.nextLook = time + 600;
    this.samples = this.samples.filter((one) => one.time >= time - 3_600);
    const middle = (values) => Float64Array.from(values).sort()[values.length >> 1];
    const center = { x: middle(this.samples.map((one) => one.x)), y: middle(this.samples.map((one) => one.y)) };
    const from = this.reference;
    if (from && Math.hypot(center.x - from.x, center.y - from.y) <= 0.3 * this.radius) return false;
    this.reference = center;
    return from !== null;
  }
}

function inJavaScript() {
  const watch = new Watch(anchor, 50, START);
  let told = 0;
  for (let at = 0; at < count; at += 1) told += watch.take({ time: times[at], lat: lats[at], lon: lons[at] }).length;
  return { told, distance: watch.distance };
}

// Each by turns, so that a busy machine slows both; the best round counts.
const best = { wasm: Infinity, js: Infinity };
let [wasm, js] = [null, null];
for (let round = 0; round < rounds; round += 1) {
  let began = performance.now();
  wasm = inWebAssembly();
  best.wasm = Math.min(best.wasm, performance.now() - began);
  began = performance.now();
  js = inJavaScript();
  best.js = Math.min(best.js, performance.now() - began);
}
const perSecond = (milliseconds) => count / milliseconds * 1_000;
console.log(JSON.stringify({ wasm_per_second: perSecond(best.wasm), js_per_second: perSecond(best.js), wasm, js }));
