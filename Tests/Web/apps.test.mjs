// The apps' pages: the logbook of the console, the pictures of use, and the words.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { shape } from './shape.mjs';

const { bars, empty, filtered, kindOf, MOST, released, taken } = await page('/apps/logbook.js');
const { dictionary } = await page('/apps/words.js');

const entry = (event, channel = 'lobby') => ({ at: 1, kind: 'event', event, channel });
const events = ({ shown }) => shown.map(({ event }) => event);

test('the newest entry is on top, and the oldest go', () => {
  const book = taken(taken(empty, { entries: [entry('a'), entry('b')] }), { entries: [entry('c')], dropped: 3 });
  assert.deepEqual([events(book), book.dropped], [['c', 'b', 'a'], 3]);
  const full = taken(book, { entries: Array.from({ length: MOST }, (_, index) => entry(`n${index}`)) });
  assert.deepEqual([full.shown.length, full.shown[0].event, full.shown.at(-1).event], [MOST, `n${MOST - 1}`, 'n0']);
});

test('a list that is held keeps still, and shows afterwards what has come', () => {
  const book = taken(taken(empty, { entries: [entry('a')] }), { entries: [entry('b'), entry('c')] }, true);
  assert.deepEqual([events(book), book.waiting.length], [['a'], 2]);
  assert.deepEqual([events(released(book)), released(book).waiting], [['c', 'b', 'a'], []]);
});

test('entries are found by channel, event, kind and socket', () => {
  const all = [entry('hello'), entry('word', 'presence-table-3'), { at: 1, kind: 'refused', socket_id: '12.5' }];
  assert.deepEqual(['TABLE', 'hello', 'refus', '12.5', ' '].map((text) => filtered(all, text).length), [1, 1, 1, 1, 3]);
});

test('a channel’s name says its kind', () => {
  const names = ['lobby', 'private-a', 'private-encrypted-a', 'presence-cache-a', 'cache-a', 'privately'];
  assert.deepEqual(names.map(kindOf), ['public', 'private', 'private-encrypted', 'presence', 'cache', 'public']);
});

test('bars reach the top at most, and no hour is invisible', () => {
  assert.deepEqual(bars([0, 5, 10], 30, 60), ['M1.0 59h8.0v1h-8.0z', 'M11.0 30h8.0v30h-8.0z', 'M21.0 0h8.0v60h-8.0z']);
  assert.deepEqual(bars([0, 0], 20, 60).length, 2);
});

test('German says everything that English says', () => {
  assert.deepEqual(shape(dictionary.de), shape(dictionary.en));
});
