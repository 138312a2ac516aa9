// How files that somebody has chosen come onto the device, from where they are sent also after a reload of the page.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { storage } from './albums-world.mjs';
import { Clock } from './clock.mjs';
import { UploadHub } from './albums-uploads.mjs';

storage();
const { Queue } = await page('/uploads/queue.js');
const { Originals, OriginalsInMemory } = await page('/uploads/originals.js');
const { Tus } = await page('/uploads/tus.js');
const { forgetOthers } = await page('/uploads/whose.js');

const settled = async () => { for (let n = 0; n < 60; n += 1) await new Promise((done) => { setImmediate(done); }); };
const file = (name, size) => new File([new Uint8Array(size)], name);

test('pictures are kept before they are made small, and only until then a page that is left asks', async () => {
  const hub = new UploadHub();
  const originals = Object.assign(new OriginalsInMemory(), { isFleeting: false });
  const queue = (prepare) => new Queue({
    place: 'a', originals, prepare, clock: new Clock(), mayRun: () => true, hash: async () => null,
    tus: new Tus({ address: () => '/uploads', headers: () => ({}), send: hub.send }),
  });
  const before = queue(() => new Promise(() => {}));
  before.add([file('a.jpg', 500), file('b.jpg', 600)]);
  assert.equal(before.isKeeping(), true);
  await settled();
  assert.deepEqual([before.isKeeping(), before.items().map(({ state }) => state), hub.patches],
    [false, ['waits', 'waits'], []]);
  await queue().restore(); // the page was reloaded
  await settled();
  assert.deepEqual(hub.pictures.map(({ name, size }) => [name, size]), [['a.jpg', 500], ['b.jpg', 600]]);
});

test('where a browser refuses files, their bytes are kept, and no row before them', async (context) => {
  const rows = [];
  const parts = new Map();
  const answer = (result, error) => {
    const request = { result, error };
    queueMicrotask(() => (error ? request.onerror?.() : request.onsuccess?.()));
    return request;
  };
  const stores = {
    items: { put: (row) => answer(rows.push([row.partSize, parts.size])) },
    parts: {
      put: (value, [, number]) => (value instanceof Blob ? answer(undefined, new DOMException('', 'UnknownError'))
        : answer(parts.set(number, value.byteLength))),
    },
  };
  globalThis.indexedDB = { open: () => answer({ transaction() {
    const transaction = {
      objectStore: (name) => stores[name],
      commit() { setImmediate(() => transaction.oncomplete()); }, // in WebKit also if a request has failed meanwhile
    };
    return transaction;
  } }) };
  context.after(() => { delete globalThis.indexedDB; });
  await new Originals('refusing').add({ id: 'a' }, file('a.jpg', 5_000_000));
  assert.deepEqual([rows, [...parts.values()]], [[[4_194_304, 2]], [4_194_304, 805_696]]);
});

test("another member's files go from this device after a month, and nobody else's", async () => {
  const day = 86_400_000;
  const originals = new OriginalsInMemory();
  const rows = [['old', 2, 0], ['new', 2, 2 * day], ['own', 1, 0], ["a guest's", undefined, 0]];
  for (const [id, person, order] of rows) await originals.add({ id, person, order }, file(id, 1));
  await forgetOthers(originals, undefined, 31 * day);
  assert.equal((await originals.all()).length, 4, 'nobody is signed in');
  await forgetOthers(originals, 1, 31 * day);
  assert.deepEqual((await originals.all()).map(({ id }) => id), ['new', 'own', "a guest's"]);
});
