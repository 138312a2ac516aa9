import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const { computed, effect, ending, signal } = await page('/ui.js');
const settled = () => new Promise((resolve) => { queueMicrotask(resolve); });

test('an effect runs at once, and once for several changes', async () => {
  const a = signal(1);
  const b = signal(2);
  const seen = [];
  effect(() => seen.push(a() + b()));
  a.set(10);
  b.set(20);
  assert.deepEqual(seen, [3]);
  await settled();
  assert.deepEqual(seen, [3, 30]);
});

test('setting the same value changes nothing', async () => {
  const a = signal('x');
  let runs = 0;
  effect(() => { a(); runs += 1; });
  a.set('x');
  await settled();
  assert.equal(runs, 1);
});

test('a computed value whose result stays the same does not run its readers', async () => {
  const seconds = signal(3);
  let worked = 0;
  const minutes = computed(() => { worked += 1; return Math.floor(seconds() / 60); });
  const seen = [];
  effect(() => seen.push(minutes()));
  seconds.set(59);
  await settled();
  assert.deepEqual(seen, [0]);
  assert.equal(worked, 2);
  seconds.set(61);
  await settled();
  assert.deepEqual(seen, [0, 1]);
});

test('two ways to the same change are seen together, never half', async () => {
  const a = signal(1);
  const double = computed(() => a() * 2);
  const triple = computed(() => a() * 3);
  const seen = [];
  effect(() => seen.push(`${double()}+${triple()}`));
  a.set(2);
  await settled();
  assert.deepEqual(seen, ['2+3', '4+6']);
});

test('what is not read any more is not followed any more', async () => {
  const on = signal(true);
  const value = signal(1);
  let runs = 0;
  effect(() => { runs += 1; if (on()) value(); });
  on.set(false);
  await settled();
  value.set(2);
  await settled();
  assert.equal(runs, 2);
});

test('an effect ends with the one that made it', async () => {
  const outer = signal(1);
  const inner = signal(1);
  const seen = [];
  const ended = [];
  const stop = effect(() => {
    const turn = outer();
    ending(() => ended.push(turn));
    effect(() => seen.push(`${turn}/${inner()}`));
  });
  outer.set(2);
  await settled();
  inner.set(5);
  await settled();
  assert.deepEqual(seen, ['1/1', '2/1', '2/5']);
  stop();
  inner.set(6);
  await settled();
  assert.deepEqual(seen.length, 3);
  assert.deepEqual(ended, [1, 2]);
});

test('peek reads without following', async () => {
  const a = signal(1);
  let runs = 0;
  effect(() => { a.peek(); runs += 1; });
  a.set(2);
  await settled();
  assert.equal(runs, 1);
});

test('a computed value that fails is worked out again when asked again', () => {
  const a = signal(0);
  const inverse = computed(() => { if (a() === 0) throw new RangeError('no'); return 1 / a(); });
  assert.throws(inverse, RangeError);
  assert.throws(inverse, RangeError);
  a.set(4);
  assert.equal(inverse(), 0.25);
});
