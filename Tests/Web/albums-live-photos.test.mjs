// Live photos: which files and pictures belong together, and what of them is seen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { storage } from './albums-world.mjs';
import { Clock } from './clock.mjs';

storage();
const { halves, pairsOf } = await page('/albums/album/gallery/halves.js');
const { chosen, people } = await page('/albums/album/gallery/choosing.js');
const { groupsOf, momentOf } = await page('/albums/album/gallery/groups.js');
const { Queue } = await page('/uploads/queue.js');
const { OriginalsInMemory } = await page('/uploads/originals.js');

const file = (name, size = 1_000) => ({ name, size });
const picture = (id, fields = {}) => ({ id, kind: 'photo', at: '2026-11-21T18:00:00Z', state: 'shown', hearts: 0,
  by: { id: 'ada', name: 'Ada' }, ...fields });

test('a picture and a film of one name that are chosen together are called a pair, and no others', () => {
  let number = 0;
  const files = [file('IMG_1.HEIC'), file('img_1.mov'), file('IMG_2.JPG'), file('IMG_3.MOV'), file('IMG_4.JPG'),
    file('IMG_4.HEIC'), file('IMG_5.JPG'), file('IMG_5.MOV', 90_000_000), file('IMG_6.JPG'), file('IMG_6.mp4'),
    file('IMG_7.JPG'), file('IMG_7.MOV'), file('IMG_7.HEIC')];
  const found = pairsOf(files, () => `w${number += 1}`);
  assert.deepEqual([...found].map(([{ name }, word]) => [name, word]), [['IMG_1.HEIC', 'w1'], ['img_1.mov', 'w1']]);
});

test('what waits is taken back with its film, and a film alone by itself', async () => {
  const queue = new Queue({ place: 'a', originals: new OriginalsInMemory(), clock: new Clock(), mayRun: () => false,
    pairs: pairsOf, prepare: async () => null });
  await queue.add(['I.HEIC', 'I.MOV', 'J.HEIC', 'J.MOV'].map((name) => new File(['x'], name)));
  const named = (name) => queue.items().find((one) => one.name === name).id;
  await queue.withdraw(named('I.HEIC'));
  await queue.withdraw(named('J.MOV'));
  assert.deepEqual(queue.items().map(({ name }) => name), ['J.HEIC']);
});

test('the film is seen with its picture, whichever of them tells of the other', () => {
  const film = picture('f', { kind: 'video', video: 'v' });
  for (const [one, other] of [[{ pair: 'f' }, {}], [{}, { pair: 'p' }], [{ pair: 'f' }, { pair: 'p' }]]) {
    const all = [picture('p', one), { ...film, ...other }, picture('q')];
    const { films, hidden } = halves(all);
    assert.equal(films.get('p').video, 'v');
    assert.deepEqual([...hidden], ['f']);
    assert.deepEqual(chosen(all).map(({ id }) => id).sort(), ['p', 'q']);
    assert.equal(people(all)[0].count, 2);
  }
});

test('a half whose other one is not there, or is no film, is seen by itself', () => {
  assert.deepEqual(chosen([picture('f', { kind: 'video', pair: 'gone' })]).map(({ id }) => id), ['f']);
  const two = [picture('a', { pair: 'b' }), picture('b', { pair: 'a' })];
  assert.equal(chosen(two).length, 2);
  assert.equal(halves(two).films.size, 0);
});

test('one sees the pictures of one hour', () => {
  const all = Array.from({ length: 30 }, (_, index) => picture(`p${index}`,
    { at: `2026-11-21T${17 + Math.floor(index / 10)}:${10 + (index % 10)}:00Z` }));
  const groups = groupsOf(chosen(all).map(momentOf));
  assert.equal(groups.length, 3);
  assert.deepEqual(chosen(all, 'all', '', groups[2]).map(({ id }) => id),
    Array.from({ length: 10 }, (_, index) => `p${9 - index}`));
  assert.equal(chosen(all, 'mine', '', groups[1]).length, 0);
});
