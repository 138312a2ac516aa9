// A picture leaves the portfolio: its file's name, the platform's sheet, and a gallery's frame for one's own page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const { fileName, save } = await page('/portfolio/sharing/save.js');
const { isFavourite } = await page('/portfolio/sharing/favourite.js');
const picture = { id: 'abc', title: 'Fog', sizes: { 320: { url: '/small' }, 2048: { url: '/large' } } };
const file = { ok: true, blob: async () => new Blob(['x'], { type: 'image/jpeg' }) };

test('a file has its title for a name, without what file systems do not take', () => {
  assert.equal(fileName(picture), 'Fog.jpg');
  assert.equal(fileName({ id: 'abc', title: 'a/b:"c"\n', kind: 'video' }), 'a b c.mp4');
  assert.equal(fileName({ id: 'abc', title: '///' }), 'abc.jpg');
});

test('the large size goes to the sheet where it takes files, and nothing else happens when it is closed', async () => {
  const asked = [];
  const shared = [];
  const to = { canShare: () => true, share: async ({ files }) => {
    shared.push(files[0].name);
    throw Object.assign(new Error('closed'), { name: 'AbortError' });
  } };
  await save(picture, { to, get: async (url) => (asked.push(url), file) });
  assert.deepEqual([asked, shared], [['/large'], ['Fog.jpg']]);
});

test('a favourite is one of the gallery of favourites of its portfolio', () => {
  const library = { pictures: (portfolio, id) => (portfolio === 'p' && id === 'favourites' ? [picture] : undefined) };
  assert.deepEqual([isFavourite(library, 'p', 'abc'), isFavourite(library, 'p', 'x'), isFavourite(library, 'q', 'abc')],
    [true, false, false]);
});
