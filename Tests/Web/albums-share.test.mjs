// Pictures from the share sheet: kept on the device by the service worker, then handed to an album's queue.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { page } from './pages.mjs';
import { storage } from './albums-world.mjs';
import { Clock } from './clock.mjs';
import { workerScript } from './worker-script.mjs';

storage();
const { Queue } = await page('/uploads/queue.js');
const { OriginalsInMemory } = await page('/uploads/originals.js');
const {
  answerShare, FIELD, handOver, keepShared, MOST, sharedFiles, waiting,
} = await page('/albums/share/incoming.js');
const ORIGIN = 'https://hub.example';

const file = (name, type = 'image/jpeg', size = 3) => (
  new File([new Uint8Array(size).fill(name.length)], name, { type }));

/** The share sheet's form. */
function form(...files) {
  const made = new FormData();
  made.append('title', 'Three pictures');
  for (const one of files) made.append(FIELD, one);
  return made;
}

const names = async (originals) => (await sharedFiles(originals)).map(({ file: { name } }) => name);

test('pictures and films are kept in their order, share by share for a day, and nothing else is', async () => {
  const originals = new OriginalsInMemory();
  const first = form(file('b.jpg'), file('a.heic', ''), file('notes.txt', 'text/plain'), file('r.cr3', ''),
    file('IMG_1.MOV', ''), file('empty.jpg', 'image/jpeg', 0));
  assert.equal(await keepShared(first, originals, { now: 1_000 }), '/albums/share#some', 'a text, and an empty one');
  assert.equal(await keepShared(form(file('c.mp4', 'video/mp4')), originals, { now: 2_000 }), '/albums/share');
  assert.deepEqual(await names(originals), ['c.mp4']);
  await originals.remove((await sharedFiles(originals))[0].id);
  assert.deepEqual(await names(originals), ['b.jpg', 'a.heic', 'r.cr3', 'IMG_1.MOV']);
  const [{ file: one }] = await sharedFiles(originals);
  assert.deepEqual([one.type, [...new Uint8Array(await one.arrayBuffer())]], ['image/jpeg', [5, 5, 5]]);
  assert.deepEqual([await waiting(originals, 86_402_000), await originals.all()], [[], []]);
});

test('after a phone’s clock was set it is the last share that is asked about, and none stays for days', async () => {
  const DAY = 86_400_000;
  const originals = new OriginalsInMemory();
  const share = (now, name) => keepShared(form(file(name)), originals, { now });
  await share(10 * DAY + 3_600_000, 'ahead.jpg');
  await share(10 * DAY, 'right.jpg');
  await share(10 * DAY + 1, 'next.jpg');
  assert.deepEqual(await names(originals), ['next.jpg']);
  await share(40 * DAY, 'far ahead.jpg');
  assert.deepEqual(await names(originals), ['far ahead.jpg'], 'also by a page whose clock is right already');
  await share(10 * DAY, 'last.jpg');
  assert.deepEqual((await originals.all()).map(({ name }) => name), ['last.jpg']);
});

test('a share without a picture, too many and a full phone are told in the page’s address', async () => {
  const originals = new OriginalsInMemory();
  assert.equal(await keepShared(form(), originals), '/albums/share#none');
  assert.equal(await keepShared(form(file('notes.txt', 'text/plain')), originals), '/albums/share#none');
  const many = form(...Array.from({ length: MOST + 2 }, (_, index) => file(`${index}.jpg`)));
  assert.equal(await keepShared(many, originals), '/albums/share#many');
  assert.equal((await originals.all()).length, MOST);
  assert.equal(await keepShared(form(file('more.jpg')), originals), '/albums/share#many');
  const full = new OriginalsInMemory();
  const add = full.add.bind(full);
  full.add = async (row, bytes) => {
    if (row.name === 'second.jpg') throw new DOMException('full', 'QuotaExceededError');
    return add(row, bytes);
  };
  assert.equal(await keepShared(form(file('first.jpg'), file('second.jpg')), full), '/albums/share#full');
  assert.deepEqual(await names(full), ['first.jpg']);
});

test('what the phone cannot read is told, the rest is kept, and no page of the browser’s own is shown', async () => {
  const { warn } = console;
  console.warn = () => {};
  const originals = new OriginalsInMemory();
  const add = originals.add.bind(originals);
  originals.add = async (row, bytes) => {
    if (row.name === 'cloud.jpg') throw new DOMException('gone', 'NotReadableError');
    return add(row, bytes);
  };
  const shared = form(file('a.jpg'), file('cloud.jpg'), file('c.jpg'));
  assert.equal(await keepShared(shared, originals), '/albums/share#unread');
  assert.deepEqual(await names(originals), ['a.jpg', 'c.jpg']);
  originals.all = async () => { throw new DOMException('lost', 'UnknownError'); };
  const request = new Request(`${ORIGIN}/albums/share`, { method: 'POST', body: form(file('a.jpg')) });
  const answer = await answerShare(request, originals);
  assert.deepEqual([answer.status, answer.headers.get('Location')], [303, `${ORIGIN}/albums/share#again`]);
  console.warn = warn;
});

test('an album’s queue takes all, and what it has no room for stays', async () => {
  const originals = new OriginalsInMemory();
  await keepShared(form(file('a.jpg'), file('b.jpg'), file('c.jpg')), originals);
  const taken = [];
  const queue = { take: async (one) => (taken.length < 2 ? (taken.push(one.name), 'kept') : 'many') };
  assert.deepEqual(await handOver(await sharedFiles(originals), queue, originals), { left: 1, why: 'many' });
  assert.deepEqual([taken, await names(originals)], [['a.jpg', 'b.jpg'], ['c.jpg']]);
});

test('the halves of a live photo that are shared together belong together in the album, too', async () => {
  const shared = new OriginalsInMemory();
  await keepShared(form(file('IMG_1.HEIC'), file('IMG_1.MOV'), file('c.jpg')), shared);
  const queue = new Queue({ place: 'a', originals: Object.assign(new OriginalsInMemory(), { isFleeting: false }),
    clock: new Clock(), mayRun: () => false, prepare: async () => null });
  const small = { take: async (...all) => (queue.items().length ? 'many' : queue.take(...all)) };
  assert.deepEqual(await handOver(await sharedFiles(shared), small, shared), { left: 2, why: 'many' });
  assert.deepEqual(await handOver(await sharedFiles(shared), queue, shared), { left: 0 });
  const [picture, film, other] = queue.items().map(({ pair }) => pair);
  assert.ok(picture && picture === film && !other);
});

test('what an album’s queue cannot keep on a device without room stays where it is', async () => {
  const shared = new OriginalsInMemory();
  await keepShared(form(file('a.jpg'), file('b.jpg'), file('c.jpg')), shared);
  const originals = new OriginalsInMemory();
  originals.isFleeting = false;
  const add = originals.add.bind(originals);
  let isFull = true;
  originals.add = async (row, bytes) => {
    if (isFull && row.name === 'b.jpg') throw new DOMException('full', 'QuotaExceededError');
    return add(row, bytes);
  };
  const queue = new Queue({
    place: 'a', originals, clock: new Clock(), mayRun: () => false, prepare: async () => null,
  });
  const { error } = console;
  console.error = () => {};
  assert.deepEqual(await handOver(await sharedFiles(shared), queue, shared), { left: 2, why: 'full' });
  console.error = error;
  assert.deepEqual([await names(shared), queue.items().map(({ name }) => name)], [['b.jpg', 'c.jpg'], ['a.jpg']]);
  isFull = false;
  assert.deepEqual(await handOver(await sharedFiles(shared), queue, shared), { left: 0 });
  assert.deepEqual([await names(shared), (await originals.all()).length], [[], 3]);
  const fleeting = new Queue({ place: 'a', originals: new OriginalsInMemory(), clock: new Clock() });
  assert.equal(await fleeting.take(file('d.jpg')), 'full', 'it would be lost with the page');
});

test('the share sheet is answered with the page, and its files do not go to the hub', async () => {
  const originals = new OriginalsInMemory();
  const request = new Request(`${ORIGIN}/albums/share`, { method: 'POST', body: form(file('a.jpg')) });
  const answer = await answerShare(request, originals);
  assert.deepEqual([answer.status, answer.headers.get('Location')], [303, `${ORIGIN}/albums/share`]);
  assert.deepEqual(await names(originals), ['a.jpg']);
});

/** The room's part of the service worker as it is packed, with originals in memory. */
function worker(originals) {
  const script = workerScript('Albums', { '/uploads/originals.js': 'export const Originals = self.Originals;' });
  const listeners = {};
  const self = {
    location: { origin: ORIGIN }, Originals: function Originals() { return originals; },
    addEventListener: (name, act) => { listeners[name] = act; },
  };
  vm.runInNewContext(`{${script}}`, { self, URL, Response, BroadcastChannel: class {}, crypto, setTimeout });
  return listeners;
}

test('of a page of another site nothing is kept', async () => {
  const originals = new OriginalsInMemory();
  const share = async (referrer) => (await answerShare(
    { url: `${ORIGIN}/albums/share`, referrer, formData: async () => form(file('a.jpg')) }, originals,
  )).headers.get('Location');
  assert.equal(await share('https://evil.example/'), `${ORIGIN}/albums/share#none`);
  assert.deepEqual(await originals.all(), []);
  for (const referrer of ['', 'about:client', `${ORIGIN}/albums`]) await share(referrer);
  assert.equal((await originals.all()).length, 3);
});

test('the service worker takes the share sheet’s request and no other', async () => {
  const originals = new OriginalsInMemory();
  const { fetch: heard } = worker(originals);
  const asked = (address, fields) => {
    let answer;
    heard({ request: new Request(address, fields), respondWith: (one) => { answer = one; } });
    return answer;
  };
  const post = { method: 'POST', body: form(file('a.jpg')) };
  assert.equal(asked(`${ORIGIN}/albums/share`), undefined);
  assert.equal(asked(`${ORIGIN}/api/v1/albums`, post), undefined);
  assert.equal(asked('https://other.example/albums/share', post), undefined);
  assert.equal((await asked(`${ORIGIN}/albums/share`, post)).status, 303);
  assert.deepEqual(await names(originals), ['a.jpg']);
});
