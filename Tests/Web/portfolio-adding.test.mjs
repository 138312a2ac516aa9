// The portfolio's uploads, the people at Flickr, and the order of galleries.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { shape } from './shape.mjs';

const { moved } = await page('/portfolio/adding/order.js');
const { named } = await page('/portfolio/adding/named.js');
const { isPicture, isRaw, namesOf } = await page('/uploads/kinds.js');
const { groupAt } = await page('/portfolio/wall/plan.js');
const dictionaries = await Promise.all(['adding', 'keeping', 'sharing', 'uploading'].map(async (part) =>
  (await page(`/portfolio/${part}/words.js`)).dictionary));

test('one of a list is moved by some places, and not beyond its ends', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 'c', -1), ['a', 'c', 'b']);
  assert.deepEqual(moved(['a', 'b', 'c'], 'a', 1), ['b', 'a', 'c']);
  assert.equal(moved(['a', 'b'], 'a', -1), null);
  assert.equal(moved(['a', 'b'], 'b', 1), null);
  assert.equal(moved(['a', 'b'], 'x', 1), null);
});

test('people are found by a part of their name, and not all of thousands are shown', () => {
  const people = [{ name: 'Ada Lovelace' }, { name: 'Ben' }];
  assert.deepEqual(named(people, ' love').map(({ name }) => name), ['Ada Lovelace']);
  assert.deepEqual(named(people, ''), people);
  assert.equal(named(Array.from({ length: 5_000 }, (_, number) => ({ name: `${number}` })), '').length, 200);
});

test('pictures and videos are taken, also those whose kind a browser does not know', () => {
  for (const one of [{ type: 'image/jpeg', name: 'a' }, { type: 'video/mp4', name: 'a' }, { type: '', name: 'A.HEIC' },
    { type: '', name: 'a.mkv' }, { type: '', name: 'IMG_1.MOV' }, { type: '', name: 'a.3gp' },
    { type: '', name: 'IMG_1.HIF' }, { type: '', name: 'MVI_1.AVI' }]) {
    assert.ok(isPicture(one), one.name);
  }
  for (const one of [{ type: 'text/html', name: 'a.html' }, { type: '', name: 'heic' }, {}]) assert.ok(!isPicture(one));
  assert.equal(namesOf([{ name: 'a.pdf' }, { name: 'b' }]), 'a.pdf, b');
  assert.equal(namesOf(['a', 'b', 'c', 'd'].map((name) => ({ name }))), 'a, b, c, …');
});

test('raw files are known by the endings that the hub knows', async () => {
  const text = await readFile(new URL('../../Sources/Imaging/Files/FileKind.swift', import.meta.url), 'utf8');
  const endings = [.../rawEndings: Set = \[([^\]]+)\]/.exec(text)[1].matchAll(/"(\w+)"/g)].map(([, one]) => one);
  assert.ok(endings.length > 10);
  for (const one of [...endings, 'CR3', 'raf', 'rw2']) assert.ok(isRaw({ name: `a.${one}` }), one);
});

test('a group is named before its first gallery', () => {
  const galleries = [{ group: 'Travel' }, { group: 'Travel' }, { group: 'Home' }, {}, {}];
  assert.deepEqual(galleries.map((_, index) => groupAt(galleries, index)), ['Travel', '', 'Home', '', '']);
});

test('German says everything that English says', () => {
  for (const { en, de } of dictionaries) assert.deepEqual(shape(de), shape(en));
});
