// What is said of a device that a drill has rung.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { page } from './pages.mjs';

const { told } = await page('/drill.js');
const { words } = await page('/drill-words.js');

test('a device is told by its answer, and as bad only when the time is over', () => {
  const never = { rang: false, answered_after_s: null };
  const heard = { rang: true, answered_after_s: 0 };
  const rings = { rang: true, answered_after_s: null };
  assert.deepEqual(told(heard, false), { said: words.heard, kind: 'good' });
  assert.deepEqual(told(heard, true), { said: words.heard, kind: 'good' });
  assert.deepEqual(told(rings, false), { said: words.ringing, kind: null });
  assert.deepEqual(told(rings, true), { said: words.silent, kind: 'bad' });
  assert.deepEqual(told(never, false), { said: words.ringing, kind: null }, 'its push service may have it');
  assert.deepEqual(told(never, true), { said: words.notRung, kind: 'bad' });
});
