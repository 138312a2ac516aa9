// The pictures of an album, by the hub's lists and events.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const { Pictures } = await page('/albums/album/pictures.js');

test('one event takes out all of somebody, and a page of the list that was asked for before brings none back', () => {
  const model = new Pictures();
  const row = (id, by) => ({ id, state: 'shown', by: { id: by } });
  model.page([row('a', 'ben'), row('b', 'ada')], 10, true);
  assert.equal(model.take('gone', { by: 'ben' }, 12), true);
  model.page([row('c', 'ben'), row('d', 'ada')], 11);
  model.end();
  assert.deepEqual([...model.all.keys()], ['b', 'd']);
  assert.equal(model.take('picture', row('e', 'ben'), 13), true, 'what they send later is shown');
});

test('an older answer or event never replaces a newer one', () => {
  const model = new Pictures();
  model.me = 'g1';
  const row = (id, hearts) => ({ id, hearts, state: 'shown', mine: false, hearted: true });
  model.page([row('a', 1), row('b', 1)], 10, true);
  model.end();
  assert.equal(model.take('changed', { id: 'a', hearts: 5, state: 'shown' }, 12), true);
  assert.equal(model.take('changed', { id: 'a', hearts: 4, state: 'shown' }, 11), false);
  model.take('gone', { id: 'b' }, 13);
  model.take('picture', { id: 'c', state: 'shown', by: null }, 14);
  model.page([row('a', 2), row('b', 2)], 11, true); // asked before those events, answered after them
  model.end();
  assert.deepEqual([...model.all.values()].map(({ id, hearts }) => [id, hearts]), [['a', 5], ['c', undefined]]);
  assert.equal(model.get('a').hearted, true, 'what only the list tells stays');
  model.asking();
  model.change('c', { hearted: false, hearts: 7 });
  model.page([row('a', 1), row('c', 6)], 14, true);
  assert.deepEqual(['a', 'c'].map((id) => [model.get(id).hearted, model.get(id).hearts]), [[true, 1], [false, 7]]);
  model.asking();
  model.page([row('c', 6)], 14, true);
  assert.equal(model.get('c').hearts, 6, 'it was asked for afterwards');
  model.page([row('a', 7)], 20, true);
  model.end();
  assert.deepEqual([...model.all.keys()], ['a']);
});
