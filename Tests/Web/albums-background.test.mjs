// The service worker sends when no page does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { storage } from './albums-world.mjs';
import { UploadHub } from './albums-uploads.mjs';

storage();
const { OriginalsInMemory } = await page('/uploads/originals.js');
const { Lease } = await page('/uploads/lease.js');
const { sendWaiting } = await page('/albums/album/background.js');

/** A phone with pictures of these names that wait, and a hub that knows one album's addresses. */
async function phone(...names) {
  const hub = new UploadHub();
  const originals = new OriginalsInMemory();
  const asked = [];
  for (const [index, name] of names.entries()) {
    const row = { id: name, album: 'a', order: index, name, size: 5_000, token: 't', type: 'image/jpeg' };
    await originals.add(row, new File([new Uint8Array(5_000).fill(index)], name));
  }
  const send = (request) => {
    asked.push(request);
    return hub.send({ ...request, url: request.url.replace('/api/v1/albums/a', '') });
  };
  const go = (world) => sendWaiting({ originals, send, isAlone: async () => true, tell: () => {}, random: () => 1,
    ...world });
  return { hub, originals, asked, go };
}

test('what waits is sent with the guest’s token, in its order, and leaves the phone then', async () => {
  const { hub, originals, asked, go } = await phone('a.jpg', 'b.jpg');
  const told = [];
  assert.equal(await go({ tell: (album) => told.push(album) }), 0);
  assert.deepEqual(hub.pictures.map(({ name, size }) => [name, size]), [['a.jpg', 5_000], ['b.jpg', 5_000]]);
  assert.ok(asked.every(({ headers }) => headers.Authorization === 'Bearer t'));
  assert.deepEqual([await originals.all(), told], [[], ['a', 'a']]);
});

test('while a page sends, the worker does not', async () => {
  const { hub, originals, go } = await phone('a.jpg', 'b.jpg');
  assert.equal(await go({ isAlone: async () => false }), 2);
  assert.equal(hub.pictures.length, 0);
  let pages = 1;
  assert.equal(await go({ isAlone: async () => (pages -= 1) >= 0 }), 1, 'a page that opens meanwhile goes on');
  assert.deepEqual([hub.pictures.length, (await originals.all()).length], [1, 1]);
});

test('a cut is continued where it was, a sound follows its picture, and what was taken back is not sent', async () => {
  const { hub, originals, go } = await phone('a.jpg', 'b.jpg', 'gone.jpg', 'sound.webm');
  await originals.change('sound.webm', { soundFor: 'b.jpg' });
  hub.cutAfter = 1_234;
  assert.equal(await go(), 3, 'no more is tried without a network');
  await originals.remove('gone.jpg');
  const end = { id: 'gone.jpg-end', of: 'gone.jpg', album: 'a', order: 9, state: 'ending', location: '/uploads/u9' };
  await originals.add(end, new Blob([]));
  assert.equal(await go(), 0);
  assert.deepEqual(await originals.all(), [end], 'that is for a page to end');
  assert.deepEqual(hub.patches.filter(({ name }) => name === 'a.jpg').map(({ from }) => from), [0, 1_234]);
  assert.deepEqual(hub.pictures.map(({ name, soundOf }) => [name, soundOf]),
    [['a.jpg', undefined], ['b.jpg', undefined], ['sound.webm', hub.pictures[1].id]]);
});

test('a refusal is kept for the page, and a closed album keeps what waits and wakes no worker again', async () => {
  const { hub, originals, go } = await phone('a.jpg', 'b.jpg');
  hub.refuse = ({ name }) => (name === 'a.jpg' ? [413, 41375] : [410, 41065]);
  assert.equal(await go(), 0);
  const rows = await originals.all();
  assert.deepEqual(rows.map(({ name, state, error }) => [name, state, error?.code]),
    [['a.jpg', 'failed', 41375], ['b.jpg', undefined, undefined]]);
});

test('a member’s pictures wait for them, and are sent by nobody else', async () => {
  const { hub, originals, go } = await phone('a.jpg', 'b.jpg', 'c.jpg');
  await originals.change('a.jpg', { token: undefined, person: 'ada' });
  await originals.change('c.jpg', { person: 'ada' }); // who joined by the link
  for (const person of [undefined, 'ben']) assert.equal(await go({ person: async () => person }), 0);
  assert.deepEqual(hub.pictures.map(({ name }) => name), ['b.jpg'], 'with its guest’s token');
  assert.equal((await originals.all()).length, 2, 'they are still there');
  await go({ person: async () => 'ada' });
  assert.deepEqual(hub.pictures.map(({ name }) => name), ['b.jpg', 'a.jpg', 'c.jpg']);
});

test('a sound whose picture was removed goes with it', async () => {
  const { hub, originals, go } = await phone('sound.webm', 'b.jpg');
  await originals.change('sound.webm', { soundOf: 'removed' });
  hub.refuse = ({ sound_of: picture }) => (picture ? [404, 40466] : null);
  assert.equal(await go(), 0);
  assert.deepEqual([await originals.all(), hub.pictures.map(({ name }) => name)], [[], ['b.jpg']]);
});

test('where the browser keeps nothing, and its storage throws when it is named, every tab sends', (context) => {
  context.after(() => {
    delete globalThis.localStorage;
    storage();
  });
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true, get() { throw new DOMException('Access is denied', 'SecurityError'); },
  });
  const lease = new Lease('a');
  lease.start(() => {});
  assert.equal(lease.take(), true);
  lease.end();
});

test('one that cannot be read any more is left for a page to tell, and the others are sent', async () => {
  const { hub, originals, go } = await phone('a.jpg', 'b.jpg');
  const { source } = originals;
  const unread = { size: 5_000, slice: async () => ({ arrayBuffer: async () => { throw new Error('gone'); } }) };
  originals.source = (row) => (row.id === 'a.jpg' ? unread : source.call(originals, row));
  console.warn = () => {};
  assert.equal(await go(), 0);
  assert.deepEqual([hub.pictures.map(({ name }) => name), (await originals.all()).map(({ id }) => id)],
    [['b.jpg'], ['a.jpg']]);
});
