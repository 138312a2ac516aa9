// A picture leaves the portfolio: its file's name, the platform's sheet, and a gallery's frame for one's own page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const { fileName, save } = await page('/portfolio/sharing/save.js');
const { isFavourite, sendHearts } = await page('/portfolio/sharing/favourite.js');
const { HubError } = await page('/keep.js');
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
  await save(picture, { to, isTouch: true, get: async (url) => (asked.push(url), file) });
  assert.deepEqual([asked, shared], [['/large'], ['Fog.jpg']]);
  const gone = { get: async () => new Response('{"code": 40487}', { status: 404 }) };
  await assert.rejects(save(picture, gone), (error) => error instanceof HubError && error.code === 40487);
});

test('a file that took longer to come than the tap counts is saved by another one', async () => {
  const asked = [];
  const to = { canShare: () => true, share: async () => {
    asked.push('share');
    if (asked.length === 1) throw new DOMException('too late', 'NotAllowedError');
  } };
  const again = async () => asked.push('tap') > 0;
  await save(picture, { to, isTouch: true, get: async () => file, again });
  assert.deepEqual(asked, ['share', 'tap', 'share']);
  asked.length = 0;
  await save(picture, { to, isTouch: true, get: async () => file, again: async () => false });
  assert.deepEqual(asked, ['share'], 'one has changed one’s mind');
});

/** A library with one favourite at the hub, and its hearts in memory. */
function libraryOf(hearts = {}) {
  const library = { pictures: (portfolio, id) => (portfolio === 'p' && id === 'favourites' ? [picture] : undefined) };
  library.hearts = Object.assign(() => hearts, { peek: () => hearts });
  library.keepHearts = (change) => { hearts = change(hearts); };
  library.recallHearts = async () => {};
  library.refresh = async () => true;
  return library;
}

test('a favourite is one of the gallery of favourites of its portfolio, or one that waits', () => {
  const library = libraryOf();
  assert.deepEqual([isFavourite(library, 'p', 'abc'), isFavourite(library, 'p', 'x'), isFavourite(library, 'q', 'abc')],
    [true, false, false]);
  const waiting = libraryOf({ 'p/abc': false, 'q/abc': true });
  assert.deepEqual([isFavourite(waiting, 'p', 'abc'), isFavourite(waiting, 'q', 'abc')], [false, true]);
});

test('hearts wait without a network, go in their order, and one pressed again meanwhile waits on', async () => {
  const library = libraryOf({ 'p/x': true, 'p/abc': false });
  await sendHearts(library, async () => { throw new TypeError('no network'); });
  assert.deepEqual(library.hearts(), { 'p/x': true, 'p/abc': false });
  const told = [];
  await sendHearts(library, async (method, address) => {
    told.push(`${method} ${address}`);
    if (told.length === 2) library.keepHearts((now) => ({ ...now, 'p/x': false }));
  });
  assert.deepEqual(told, ['PUT /api/v1/portfolios/p/favourites/x', 'DELETE /api/v1/portfolios/p/favourites/abc']);
  assert.deepEqual(library.hearts(), { 'p/x': false });
});

test('a heart that the hub refuses is lost and said, one of a picture that is gone is lost alone', async () => {
  const library = libraryOf({ 'p/x': true });
  await sendHearts(library, async () => { throw new HubError(404, { code: 40487 }); });
  assert.deepEqual(library.hearts(), {});
  library.keepHearts(() => ({ 'p/x': true }));
  await assert.rejects(sendHearts(library, async () => { throw new HubError(409, { code: 40985 }); }));
  assert.deepEqual(library.hearts(), {});
});

test('hearts wait on while the hub starts, is busy, or asks for a new sign-in, which is said', async () => {
  for (const error of [new HubError(502), new HubError(404), new HubError(429, { code: 42901 }),
    new HubError(401, { code: 40101 })]) {
    const library = libraryOf({ 'p/x': true, 'p/abc': false });
    await assert.rejects(sendHearts(library, async () => { throw error; }), error);
    assert.deepEqual(library.hearts(), { 'p/x': true, 'p/abc': false });
  }
});
