// An album that is full, a guest's share of it, or the hub's disk: what does not fit waits on the phone, and goes when
// there is room. A phone that is full itself sends from memory. Networks that answer in the hub's place. And the end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { AlbumHub, storage } from './albums-world.mjs';
import { Clock } from './clock.mjs';
import { UploadHub } from './albums-uploads.mjs';

storage();
const { Queue } = await page('/uploads/queue.js');
const { Originals, OriginalsInMemory } = await page('/uploads/originals.js');
const { Tus } = await page('/uploads/tus.js');
const { WAITS } = await page('/uploads/retrying.js');
const { Album } = await page('/albums/album/client.js');
const { sendWaiting } = await page('/albums/album/background.js');
const { CROWDED, STOPPING } = await page('/albums/album/states.js');

console.warn = () => {};
const settled = async () => { for (let n = 0; n < 200; n += 1) await new Promise((done) => { setImmediate(done); }); };

const ALBUM = [413, 41365];
const DISK = [507, 50765];

/** A hub that takes `room` bytes, and counts what it refused. */
function fullHub(room, refusal = ALBUM) {
  const hub = Object.assign(new UploadHub(), { room, refused: 0 });
  hub.refuse = ({ size }) => {
    const used = [...hub.uploads.values()].reduce((sum, one) => sum + one.size, 0);
    if (used + size <= hub.room) return null;
    hub.refused += 1;
    return refusal;
  };
  return hub;
}

function phone(hub, originals = Object.assign(new OriginalsInMemory(), { isFleeting: false })) {
  const clock = new Clock();
  const queue = new Queue({
    place: 'a', originals, clock, mayRun: () => true, random: () => 1, stopping: STOPPING, crowded: CROWDED,
    tus: new Tus({ address: () => '/uploads', headers: () => ({}), send: hub.send }),
    hash: async () => null, prepare: async () => null,
  });
  return { queue, clock, originals };
}

const files = (...sizes) => sizes.map((size, index) => new File([new Uint8Array(size)], `${index}.jpg`));
const names = (hub) => hub.pictures.map(({ name }) => name).sort();

for (const [place, refusal, pause] of [['an album', ALBUM, 'room'], ['the disk', DISK, 'full']]) {
  test(`where ${place} has no room for one, smaller ones go on; the rest goes once there is`, async () => {
    const hub = fullHub(1_000, refusal);
    const { queue, clock, originals } = phone(hub);
    await queue.add(files(9_000, 8_000, 400, 500, ...Array(30).fill(700)));
    await settled();
    assert.deepEqual([names(hub), queue.pause(), queue.failed().length], [['2.jpg', '3.jpg'], pause, 0]);
    assert.equal((await originals.all()).length, 32);
    hub.refused = 0;
    clock.pass(WAITS.full);
    await settled();
    assert.ok(hub.refused < 8, 'not each of them asks again');
    hub.room = 100_000;
    clock.pass(WAITS.full);
    await settled();
    assert.deepEqual([hub.pictures.length, queue.progress().left, queue.pause()], [34, 0, null]);
  });
}

test('a network that fails while there is no room is not asked without a pause', async () => {
  const hub = fullHub(1_000);
  const { queue, clock } = phone(hub);
  const { refuse } = hub;
  hub.refuse = (one) => {
    hub.isDown = one.size > 1_000;
    return refuse(one);
  };
  await queue.add(files(9_000, 10, 20));
  await settled();
  assert.equal(queue.pause(), 'network');
  Object.assign(hub, { isDown: false, refuse });
  await settled();
  assert.equal(hub.pictures.length, 0);
  clock.pass(WAITS.last);
  await settled();
  assert.deepEqual([hub.pictures.length, queue.pause()], [2, 'room']);
});

for (const status of [200, 403]) {
  test(`a network that answers everything itself (${status}) is not asked without a pause, nor believed`, async () => {
    const hub = new UploadHub();
    const { queue, clock } = phone(hub);
    hub.cutAfter = 12_345;
    await queue.add(files(50_000));
    await settled();
    hub.portal = status;
    await queue.add(files(60_000));
    for (let seconds = 0; seconds < 10; seconds += 1) {
      clock.pass(1_000);
      await settled();
    }
    assert.ok(hub.asked > 2 && hub.asked < 15, `asked ${hub.asked} times`);
    assert.deepEqual([queue.progress().left, queue.failed().length], [2, 0]);
    hub.portal = null;
    clock.pass(WAITS.last);
    await settled();
    assert.deepEqual(hub.pictures.map(({ size }) => size).sort(), [50_000, 60_000]);
  });
}

test('without a page, too, what has no room waits, and a smaller one is sent', async () => {
  for (const refusal of [ALBUM, DISK]) {
    const hub = fullHub(1_000, refusal);
    const originals = new OriginalsInMemory();
    for (const [index, file] of files(9_000, 400).entries()) {
      await originals.add({ id: file.name, album: 'a', order: index, name: file.name, size: file.size }, file);
    }
    const send = (request) => hub.send({ ...request, url: request.url.replace('/api/v1/albums/a', '') });
    assert.equal(await sendWaiting({ originals, send, isAlone: async () => true, tell: () => {} }), 0);
    assert.deepEqual([names(hub), (await originals.all()).map(({ id, state }) => [id, state])],
      [['1.jpg'], [['0.jpg', undefined]]]);
  }
});

/** IndexedDB on a device that has no room for anything more. */
const fullDevice = (later) => ({
  open: () => later({ transaction() {
    const transaction = { objectStore: () => ({
      getAll: () => later([]), count: () => later(0), get: () => later(), delete: () => later(),
      put() { throw new DOMException('full', 'QuotaExceededError'); },
    }) };
    setImmediate(() => setImmediate(() => transaction.oncomplete()));
    return transaction;
  } }),
});

test('a device without room sends all the same while its page is open, and takes no share', async (context) => {
  globalThis.indexedDB = fullDevice((result) => {
    const request = { result };
    queueMicrotask(() => request.onsuccess());
    return request;
  });
  const { error } = console;
  console.error = () => {};
  context.after(() => {
    delete globalThis.indexedDB;
    console.error = error;
  });
  const hub = Object.assign(fullHub(10_000), { hold: true });
  const originals = new Originals('full');
  const { queue } = phone(hub, originals);
  assert.equal(queue.isFleeting(), false);
  await queue.add(files(400, 500));
  await settled();
  await queue.restore(); // another tab has told of a change
  assert.deepEqual([queue.failed().length, queue.progress().left, queue.isFleeting()], [0, 2, true]);
  hub.release();
  await settled();
  assert.deepEqual([names(hub), queue.isFleeting(), await originals.all()], [['0.jpg', '1.jpg'], false, []]);
  assert.equal(hub.pictures[0].size, 400);
  assert.equal(await queue.take(files(300)[0], {}), 'full', 'it would be lost with the page');
  const unreadable = Object.assign(files(10)[0], {
    slice: () => ({ arrayBuffer: async () => { throw new DOMException('gone', 'NotReadableError'); } }),
  });
  await queue.add([unreadable]);
  assert.equal(queue.failed()[0].error.kind, 'unkept');
});

test('pictures that the device cannot read any more are told, and hold up none of the others', async () => {
  const hub = Object.assign(new UploadHub(), { isDown: true });
  const { queue, originals, clock } = phone(hub);
  await queue.add(files(100, 200, 300, 400));
  await settled();
  assert.deepEqual([queue.pause(), queue.failed().length], ['network', 0]);
  const { source } = originals;
  originals.source = (row) => (row.size > 200 ? source.call(originals, row) : { size: row.size, slice: async () => ({
    arrayBuffer: async () => { throw new DOMException('gone', 'NotReadableError'); } }) });
  hub.isDown = false;
  clock.pass(WAITS.last);
  await settled();
  assert.deepEqual([names(hub), queue.pause(), queue.progress().left], [['2.jpg', '3.jpg'], null, 0]);
  assert.deepEqual(queue.failed().map(({ name, error }) => [name, error.kind]),
    [['0.jpg', 'unkept'], ['1.jpg', 'unkept']]);
  await queue.withdraw(queue.failed()[0].id);
  assert.equal(queue.failed().length, 1);
});

test('while the device’s storage does not answer, no picture is told to be unreadable', async () => {
  const { queue, originals, clock } = phone(new UploadHub());
  const { has } = originals;
  originals.has = async () => { throw new DOMException('lost', 'UnknownError'); };
  await queue.add(files(100));
  await settled();
  assert.deepEqual([queue.failed().length, queue.progress().left], [0, 1]);
  originals.has = has;
  clock.pass(WAITS.last);
  await settled();
  assert.deepEqual(queue.items().map(({ state }) => state), ['sent']);
});

test('a device that is so full that it notes nothing any more still sends what it has', async (context) => {
  const { error } = console;
  console.error = () => {};
  context.after(() => { console.error = error; });
  const hub = new UploadHub();
  const { queue, originals } = phone(hub);
  originals.change = async () => { throw new DOMException('full', 'QuotaExceededError'); };
  originals.remove = async () => { throw new DOMException('full', 'QuotaExceededError'); };
  await queue.add(files(100, 200));
  await settled();
  assert.deepEqual([names(hub), queue.pause(), queue.items().map(({ state }) => state)],
    [['0.jpg', '1.jpg'], null, ['sent', 'sent']]);
});

test('an album opens on a line that is too slow for 500 of its pictures at once', async () => {
  const hub = new AlbumHub({ pictures: 400 });
  const { fetch } = hub;
  hub.fetch = async (address, request) => {
    const answer = await fetch(address, request);
    const isSlow = Number(/limit=(\d+)/.exec(address)?.[1]) > 130;
    return isSlow ? { ...answer, json: async () => { throw new DOMException('', 'TimeoutError'); } } : answer;
  };
  const album = await hub.inside(Album);
  for (let seconds = 0; seconds < 60; seconds += 1) {
    hub.clock.pass(1_000);
    await settled();
  }
  assert.deepEqual([album.pictures().size, album.isWhole()], [400, true]);
  album.stop();
});

test('a queue that was stopped sends nothing more beside the one that goes on', async () => {
  const hub = new UploadHub();
  const { queue, originals } = phone(hub);
  hub.hold = true;
  await queue.add(files(1_000, 2_000, 3_000));
  await settled();
  queue.stop();
  hub.release();
  await settled();
  assert.deepEqual([hub.patches, (await originals.all()).length], [[], 3]);
});
