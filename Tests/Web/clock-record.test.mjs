// Recording a voice: what to say, where the wanted word is in what was said, and how good it is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const { minutesLeft, nextMissing, partsOf, saidWith } = await page('/clock/record/phrases.js');
const {
  cut, decibels, isClipped, loudness, LOUDNESS, partOf, peaks, sounds, verdict,
} = await page('/clock/record/take.js');
const { Microphone, obstacleOf } = await page('/clock/record/microphone.js');

const RATE = 44_100;

/** Noise of a room with sounds in it: [from, to, loudness] in seconds. */
function recording(length, words, room = 0.0005) {
  let state = 1;
  const random = () => { // the same in each run
    state = (state * 48_271) % 2_147_483_647;
    return (state / 2_147_483_647) * 2 - 1;
  };
  return Float32Array.from({ length: Math.round(length * RATE) }, (_, index) => {
    const at = index / RATE;
    const word = words.find(([from, to]) => at >= from && at < to);
    return random() * room + (word ? Math.sin(at * 2 * Math.PI * 180) * word[2] : 0);
  });
}

const THREE = [[0.4, 0.7, 0.3], [0.85, 1.4, 0.3], [1.6, 1.9, 0.3]];

test('the parts to record are those of the quarters, each within a phrase that has it', () => {
  const english = partsOf('en');
  assert.equal(english.filter(({ isOptional }) => !isOptional).length, 17);
  assert.deepEqual(english.slice(17).map(({ part }) => part), ['oclock', 'open', 'closed', 'dragging', 'unheard']);
  assert.deepEqual(english.at(-2).words, ['The anchor drags']);
  for (const language of ['en', 'de']) {
    const all = partsOf(language);
    assert.equal(new Set(all.map(({ part }) => part)).size, all.length);
    for (const { part, phrase, index, words } of all) {
      assert.equal(phrase[index], part);
      assert.equal(words.length, phrase.length);
      assert.ok(words.every(Boolean), part);
    }
  }
  assert.deepEqual(english.find(({ part }) => part === '15').words, ['seven', 'fifteen', 'PM']);
  assert.deepEqual(partsOf('de').find(({ part }) => part === '5').words, ['halb', 'fünf']);
  assert.deepEqual(partsOf('de').find(({ part }) => part === 'nach').words, ['Viertel', 'nach', 'vier']);
});

test('a clock that speaks with a recorded voice keeps what the voice can say', () => {
  const chosen = { every: 30, quarters: 'to', oclock: true };
  assert.deepEqual(saidWith(['dreiviertel', 'oclock'], chosen), { hours: 12, ...chosen });
  assert.deepEqual(saidWith([], { ...chosen, every: 5 }), { hours: 12, every: 15, quarters: 'past', oclock: false });
});

test('the parts are enough for what a clock says at quarters', async () => {
  const { readFileSync } = await import('node:fs');
  const { speakingRulesFrom } = await page('/clock/speaking-rules.js');
  const wasm = readFileSync(new URL('../../.build/wasm/release/speakingclock.wasm', import.meta.url));
  const rules = await speakingRulesFrom(wasm);
  const tried = [
    ['en', {}, false], ['en', { oclock: true }, true], ['de', {}, false], ['de', { quarters: 'to' }, true],
    ...['en', 'de'].map((language) => {
      const needed = partsOf(language).filter(({ isOptional }) => !isOptional).map(({ part }) => part);
      const others = { hours: 24, every: 5, quarters: 'to', oclock: true };
      return [language, { ...others, ...saidWith(needed, others) }, false];
    }),
  ];
  for (const [language, more, withOptional] of tried) {
    const needed = rules.of({ language, ...more }, 'UTC').needed().filter((one) => one !== 'bigben');
    const mine = partsOf(language).filter(({ isOptional }) => withOptional || !isOptional).map(({ part }) => part);
    assert.deepEqual(needed.filter((one) => !mine.includes(one)), [], `${language} ${JSON.stringify(more)}`);
  }
});

test('the next part is one that is missing, what is optional last', () => {
  const all = partsOf('en');
  const part = (at) => all[at]?.part;
  assert.equal(part(nextMissing(all, [])), '1');
  assert.equal(part(nextMissing(all, ['1', '3'], 1)), '4');
  assert.equal(part(nextMissing(all, ['2'], 16)), '1', 'what was left out comes again at the end');
  const needed = all.slice(0, 17).map((one) => one.part);
  assert.equal(part(nextMissing(all, needed, 3)), 'oclock');
  assert.equal(nextMissing(all, all.map((one) => one.part), 3), -1);
  assert.equal(minutesLeft(all, needed.slice(4)), 2);
});

test('words are found in a recording, and clicks are none', () => {
  const found = sounds(recording(2.4, [...THREE, [2.2, 2.21, 0.5]]), RATE);
  assert.equal(found.length, 3);
  found.forEach(([from, to], index) => {
    assert.ok(Math.abs(from - THREE[index][0]) < 0.03 && Math.abs(to - THREE[index][1]) < 0.03, `${from} ${to}`);
  });
  assert.deepEqual(sounds(recording(1, []), RATE).filter(([from, to]) => to - from > 0.2), []);
});

test('the marked word alone is kept', () => {
  const [from, to] = partOf(recording(2.4, THREE), RATE, ['seven', 'fifteen', 'PM'], 1);
  assert.ok(Math.abs(from - 0.83) < 0.03 && Math.abs(to - 1.42) < 0.03, `${from} ${to}`);
  const [first] = partOf(recording(2.4, THREE), RATE, ['seven', 'fifteen', 'PM'], 0);
  assert.ok(Math.abs(first - 0.38) < 0.03);
  assert.equal(partOf(new Float32Array(RATE), RATE, ['a', 'b'], 0), null);
});

test('words that were said without a pause are divided by their lengths, where it is quiet', () => {
  // One sound, a little softer where the first word ends.
  const run = recording(2, [[0.3, 0.78, 0.3], [0.78, 0.82, 0.06], [0.82, 1.5, 0.3]]);
  const [from, to] = partOf(run, RATE, ['seven', 'fifteen'], 1);
  assert.ok(from > 0.77 && from < 0.84, String(from));
  assert.ok(Math.abs(to - 1.52) < 0.03, String(to));
});

test('a part is judged: its level, clipping, the room, its length', () => {
  const of = (samples) => verdict(samples, RATE, [0.85, 1.4]);
  const good = of(recording(2.4, THREE));
  assert.deepEqual([good.loud, good.clipped, good.noisy, good.length], ['good', false, false, 'good']);
  assert.ok(Math.abs(good.level - decibels(0.3 / Math.SQRT2)) < 1);
  const soft = THREE.map(([from, to]) => [from, to, 0.006]);
  assert.equal(of(recording(2.4, soft, 0.0001)).loud, 'quiet');
  const loud = recording(2.4, THREE.map(([from, to]) => [from, to, 3])).map((one) => Math.max(-1, Math.min(1, one)));
  assert.equal(of(loud).clipped, true);
  assert.equal(of(loud).loud, 'loud');
  assert.equal(of(recording(2.4, THREE, 0.1)).noisy, true);
  assert.equal(verdict(recording(2.4, THREE), RATE, [0.9, 0.95]).length, 'short');
  assert.equal(isClipped(new Float32Array([0, 1, 0, -1, 0]), 0, 5), false, 'a peak is not clipped');
});

test('a part is cut out as loud as all parts, without clipping, its ends silent', () => {
  const part = cut(recording(2.4, THREE), RATE, [0.85, 1.4]);
  assert.equal(part.length, Math.round(1.4 * RATE) - Math.round(0.85 * RATE));
  assert.ok(Math.abs(decibels(loudness(part)) - LOUDNESS) < 0.5);
  assert.ok(Math.abs(part[0]) < 0.01 && Math.abs(part.at(-1)) < 0.01);
  const peaked = new Float32Array(RATE).fill(0.001);
  peaked[5000] = 1;
  assert.ok(cut(peaked, RATE, [0, 1]).every((one) => Math.abs(one) <= 0.9));
  assert.equal(cut(new Float32Array(RATE), RATE, [0, 1]).every((one) => one === 0), true);
});

test('a waveform has the greatest sample of each stretch', () => {
  assert.deepEqual(peaks(new Float32Array([0, -0.5, 0.25, 0, 0, 1]), 3), [0.5, 0.25, 1]);
  assert.equal(peaks(new Float32Array(100_000), 150).length, 150);
});

test('why there is no microphone', () => {
  const scope = {
    isSecureContext: true, navigator: { mediaDevices: { getUserMedia() {} } }, AudioWorkletNode: class {},
  };
  assert.equal(obstacleOf(undefined, scope), null);
  assert.equal(obstacleOf({ name: 'NotAllowedError' }, scope), 'refused');
  assert.equal(obstacleOf({ name: 'NotFoundError' }, scope), 'none');
  assert.equal(obstacleOf({ name: 'NotReadableError' }, scope), 'busy');
  assert.equal(obstacleOf(undefined, { ...scope, isSecureContext: false }), 'insecure');
  assert.equal(obstacleOf(undefined, { ...scope, navigator: {} }), 'unsupported');
});

const { navigator: before } = globalThis;
const put = (navigator) => Object.defineProperty(globalThis, 'navigator', { value: navigator, configurable: true });

/** A device with a microphone, and something to do when it is asked for, loads and connects: gives what was done. */
function device(context, { asked = async () => {}, addModule = async () => {}, connect = () => {} }) {
  const done = [];
  const stream = { active: true, getTracks: () => [{ stop: () => done.push('stopped') }] };
  put({ mediaDevices: { getUserMedia: async () => { await asked(); return stream; } } });
  globalThis.AudioContext = class {
    audioWorklet = { addModule };

    async resume() { done.push('resumed'); }

    createMediaStreamSource() { return { connect }; }

    close() { done.push('closed'); }
  };
  globalThis.AudioWorkletNode = class { port = {}; };
  context.after(() => {
    put(before);
    delete globalThis.AudioContext;
    delete globalThis.AudioWorkletNode;
  });
  return done;
}

test('a microphone that could not be started is not left on', async (context) => {
  const offline = device(context, { addModule: async () => { throw new Error('no network'); } });
  await assert.rejects(new Microphone().open(), { message: 'no network' });
  assert.deepEqual(offline, ['stopped', 'closed']);
  const unfit = device(context, { connect() { throw new Error('another rate'); } });
  await assert.rejects(new Microphone().open(), { message: 'another rate' });
  assert.deepEqual(unfit, ['resumed', 'stopped', 'closed']);
  const none = device(context, {});
  globalThis.AudioContext = class { constructor() { throw new Error('no sound'); } };
  await assert.rejects(new Microphone().open(), { message: 'no sound' });
  assert.deepEqual(none, ['stopped']);
});

test('a microphone that is closed while it is asked for, or started, is not left on', async (context) => {
  const microphone = new Microphone();
  const close = async () => microphone.close();
  const aborted = { name: 'AbortError' };
  const early = device(context, { asked: close });
  await assert.rejects(microphone.open(), aborted);
  assert.deepEqual(early, ['stopped']);
  const late = device(context, { addModule: close });
  await assert.rejects(microphone.open(), aborted);
  assert.deepEqual(late, ['resumed', 'stopped', 'closed']);
  const again = device(context, {});
  await microphone.open();
  assert.deepEqual(again, ['resumed']);
  microphone.close();
  assert.deepEqual(again, ['resumed', 'stopped', 'closed']);
});
