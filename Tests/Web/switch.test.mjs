// What the fields beside the switch say to the hub, without a browser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const { signal } = await page('/ui.js');
const { changedWords, typedInto } = await page('/space/switch-fields.js');

// The sign as the hub tells it, and the fields as they show it.
const sign = { open: true, message: 'Soup tonight', until: '2026-11-20T23:00:00+01:00' };
const shown = (typed = {}) => ({
  message: signal(typed.message ?? sign.message), until: signal(typed.until ?? '23:00'),
  touched: new Set(Object.keys(typed)),
});

test('a time in which nobody has typed stays at its day, also when it has passed', () => {
  assert.deepEqual(changedWords(shown({ message: 'Cake' }), sign), { message: 'Cake', until: sign.until });
  assert.deepEqual(changedWords(shown({ message: '' }), sign), { message: null, until: sign.until });
});

test('a typed time is a time of day, and an emptied one is none', () => {
  assert.deepEqual(changedWords(shown({ until: '23:30' }), sign), { message: sign.message, until: '23:30' });
  assert.deepEqual(changedWords(shown({ until: '' }), sign), { message: sign.message, until: null });
});

test('what somebody else has changed while one types stays', () => {
  const other = { ...sign, message: 'Tea', until: null };
  assert.deepEqual(changedWords(shown({ until: '23:30' }), other), { message: 'Tea', until: '23:30' });
  assert.deepEqual(changedWords(shown({ message: 'Cake' }), other), { message: 'Cake', until: null });
});

test('a turn of the sign says only what was typed', () => {
  assert.deepEqual(typedInto(shown()), {});
  assert.deepEqual(typedInto(shown({ message: 'Cake', until: '' })), { message: 'Cake' });
});
