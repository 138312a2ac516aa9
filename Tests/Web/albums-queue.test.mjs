// The queue of pictures that a phone sends: cut, continued, known, refused, taken back, and over a reload of the page.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { storage } from './albums-world.mjs';
import { Clock } from './clock.mjs';
import { UploadHub } from './albums-uploads.mjs';

storage();
const { MOST, Queue } = await page('/uploads/queue.js');
const { OriginalsInMemory } = await page('/uploads/originals.js');
const { LIMITS, metadataOf, Tus } = await page('/uploads/tus.js');
const { verdict, WAITS } = await page('/uploads/retrying.js');
const { Lease } = await page('/uploads/lease.js');
const { pairsOf } = await page('/albums/album/gallery/halves.js');
const { STOPPING } = await page('/albums/album/states.js');
const { HubError } = await page('/keep.js');

console.warn = () => {};
const settled = async () => { for (let n = 0; n < 60; n += 1) await new Promise((done) => { setImmediate(done); }); };

const file = (name, size, seed = 1) => {
  const bytes = new Uint8Array(size);
  for (let n = 0; n < size; n += 1) bytes[n] = (n * 31 + seed * 7) % 251;
  return new File([bytes], name, { type: 'image/jpeg' });
};

const sha256 = async ({ size, slice }) => createHash('sha256')
  .update(new Uint8Array(await (await slice(0, size)).arrayBuffer())).digest('hex');

/** A page with a queue; `originals` outlive it as a phone's storage does. */
function phone(hub, world = {}) {
  const { originals = new OriginalsInMemory(), clock = new Clock(), mayRun = () => true, hash = sha256 } = world;
  originals.isFleeting = false;
  const queue = new Queue({
    place: 'a', originals, clock, mayRun, hash, tell: world.tell, isOurs: world.isOurs, random: () => 1,
    pairs: pairsOf, stopping: STOPPING,
    tus: new Tus({ address: () => '/uploads', headers: () => ({ Authorization: 'Bearer t' }), send: hub.send }),
    known: async (hashes) => hub.known(hashes),
    prepare: async () => new Blob(['small']),
    remove: async (id) => hub.remove(id),
  });
  return { queue, originals, clock };
}

const states = (queue) => queue.items().map(({ state }) => state);

test('pictures are sent whole and once, with their preview ahead, and leave the phone only then', async () => {
  const hub = new UploadHub();
  const { queue, originals } = phone(hub);
  await queue.add([file('a.jpg', 50_000), file('b.jpg', 60_000, 2), file('c.jpg', 1, 3)]);
  await settled();
  assert.deepEqual(states(queue), ['sent', 'sent', 'sent']);
  assert.deepEqual(hub.pictures.map(({ name, size }) => [name, size]),
    [['a.jpg', 50_000], ['b.jpg', 60_000], ['c.jpg', 1]]);
  assert.ok(hub.pictures.every((one) => one.preview === 'small' && one.isRight), 'bytes as they were');
  assert.equal((await originals.all()).length, 0);
  assert.deepEqual([queue.progress().done, queue.progress().left, queue.progress().bytes], [3, 0, 0]);
  queue.clear();
  assert.deepEqual(states(queue), []);
});

test('a cut connection is continued at the hub’s offset, after a wait that grows', async () => {
  const hub = new UploadHub();
  const { queue, clock } = phone(hub);
  hub.cutAfter = 12_345;
  await queue.add([file('a.jpg', 50_000)]);
  await settled();
  assert.deepEqual([states(queue), queue.pause()], [['waits'], 'network']);
  hub.isDown = true;
  clock.pass(WAITS.first);
  await settled();
  assert.equal(queue.pause(), 'network');
  hub.isDown = false;
  clock.pass(WAITS.first);
  await settled();
  assert.deepEqual(states(queue), ['waits'], 'the second wait is longer');
  clock.pass(WAITS.first);
  await settled();
  assert.deepEqual([states(queue), queue.pause()], [['sent'], null]);
  assert.deepEqual(hub.patches.map(({ from }) => from), [0, 12_345]);
  assert.ok(hub.pictures[0].isRight);
});

test('fifty cuts at odd places lose nothing, and send each byte about once', async () => {
  const hub = new UploadHub();
  const { queue } = phone(hub);
  const size = 100_000;
  hub.cutAfter = 1_999;
  await queue.add([file('a.jpg', size)]);
  for (let n = 0; n < 60 && states(queue)[0] !== 'sent'; n += 1) {
    await settled();
    if (n < 49) hub.cutAfter = 1_999;
    queue.wake(); // the network is back
  }
  assert.deepEqual([states(queue), hub.pictures.length, hub.pictures[0].isRight], [['sent'], 1, true]);
  assert.ok(hub.patches.length >= 50);
});

test('a reload goes on with what the phone keeps, and a finished upload is not sent twice', async () => {
  const hub = new UploadHub();
  const before = phone(hub);
  hub.cutAfter = 20_000;
  await before.queue.add([file('a.jpg', 50_000), file('b.jpg', 1_000, 2)]);
  await settled();
  before.queue.stop();
  const after = phone(hub, { originals: before.originals });
  await after.queue.restore();
  await settled();
  assert.deepEqual(hub.pictures.map(({ name }) => name).sort(), ['a.jpg', 'b.jpg']);
  assert.ok(hub.pictures.every((one) => one.isRight));
  assert.equal(hub.patches.filter(({ name }) => name === 'a.jpg')[1].from, 20_000);

  // The last answer is lost: the hub has the picture, and the page does not know.
  hub.loseAnswer = true;
  after.queue.clear();
  await after.queue.add([file('c.jpg', 5_000, 5)]);
  await settled();
  after.queue.stop();
  const last = phone(hub, { originals: before.originals });
  await last.queue.restore();
  await settled();
  assert.equal(hub.pictures.filter(({ name }) => name === 'c.jpg').length, 1);
  assert.equal((await before.originals.all()).length, 0);
});

test('what somebody else has left on this device is neither shown nor sent, and stays', async () => {
  const hub = new UploadHub();
  const { queue, originals } = phone(hub, { isOurs: ({ person }) => person === 'ben' });
  for (const person of ['ada', 'ben']) {
    const row = { id: person, album: 'a', person, order: 1, name: `${person}.jpg`, size: 10 };
    await originals.add(row, file(row.name, 10));
  }
  await queue.restore();
  await settled();
  assert.deepEqual(hub.pictures.map(({ name }) => name), ['ben.jpg']);
  assert.deepEqual((await originals.all()).map(({ id }) => id), ['ada']);
});

test('a wrong offset is asked for, and an upload that the hub has forgotten begins anew', async () => {
  const hub = new UploadHub();
  const { queue, originals } = phone(hub);
  hub.cutAfter = 10_000;
  await queue.add([file('a.jpg', 50_000)]);
  await settled();
  hub.shiftOnce = 4_000; // somebody else's bytes arrived between HEAD and PATCH
  queue.wake();
  await settled();
  assert.deepEqual(states(queue), ['sent']);
  assert.ok(hub.conflicts > 0 && hub.pictures[0].isRight);
  hub.cutAfter = 10_000;
  queue.clear();
  await queue.add([file('b.jpg', 50_000, 2)]);
  await settled();
  hub.uploads.clear();
  queue.wake();
  await settled();
  assert.deepEqual([states(queue).at(-1), hub.pictures.length, (await originals.all()).length], ['sent', 2, 0]);
});

test('what the album has already is not sent again', async () => {
  const hub = new UploadHub();
  const { queue } = phone(hub);
  await queue.add([file('a.jpg', 5_000)]);
  await settled();
  const patches = hub.patches.length;
  queue.clear();
  await queue.add([file('the same.jpg', 5_000)]);
  await settled();
  assert.deepEqual([states(queue), hub.patches.length, hub.pictures.length], [['known'], patches, 1]);
  await queue.withdraw(queue.items()[0].id);
  assert.equal(hub.pictures.length, 1, 'putting away what was known removes nothing');
});

test('a refusal concerns its picture alone, says why, outlives a reload, and can be tried again', async () => {
  const hub = new UploadHub();
  const { queue, originals } = phone(hub);
  hub.refuse = ({ name }) => (name === 'big.mov' ? [413, 41360] : null);
  await queue.add([file('big.mov', 9_000), file('b.jpg', 1_000)]);
  await settled();
  assert.deepEqual(states(queue), ['failed', 'sent']);
  assert.deepEqual([queue.items()[0].error.status, queue.items()[0].error.code], [413, 41360]);
  assert.equal((await originals.all()).length, 1, 'an original not sent is never lost');
  const next = phone(hub, { originals });
  await next.queue.restore();
  assert.deepEqual(states(next.queue), ['failed']);
  const saved = await next.queue.file(next.queue.items()[0].id);
  assert.deepEqual([saved.name, saved.type, await saved.text()],
    ['big.mov', 'image/jpeg', await file('big.mov', 9_000).text()]);
  hub.refuse = () => null;
  await next.queue.retry();
  await settled();
  assert.deepEqual([states(next.queue), hub.pictures.length], [['sent'], 2]);
});

test('what was refused at its end goes on as the same upload: a second one would count beside the first', async () => {
  const hub = new UploadHub();
  const { queue, originals } = phone(hub);
  hub.refuseEnd = () => [413, 41365];
  await queue.add([file('big.mov', 9_000)]);
  await settled();
  const next = phone(hub, { originals });
  await next.queue.restore();
  await next.queue.retry();
  await settled();
  assert.deepEqual([states(queue), states(next.queue)], [['failed'], ['failed']]);
  hub.refuseEnd = () => null;
  await next.queue.retry();
  await settled();
  assert.deepEqual([states(next.queue), hub.pictures.length, hub.uploads.size], [['sent'], 1, 1]);
  assert.deepEqual(hub.patches.map(({ size }) => size), [9_000, 9_000, 9_000]);
});

test('what is sent to something that is gone, or is full, is refused, and the others go on', async () => {
  const hub = new UploadHub();
  const { queue, originals } = phone(hub);
  await queue.add([file('full.jpg', 2_000, 2)]);
  await settled();
  hub.refuse = ({ name }) => ({ 'a.jpg': [404, 40486], 'b.jpg': [409, 40967] })[name];
  hub.refuseEnd = ({ name }) => ({ 'c.jpg': [409, 40993], 'd.jpg': [404, 40466] })[name];
  await queue.add(['a', 'b', 'c', 'd', 'e'].map((name, index) => file(`${name}.jpg`, 1_000, index + 3)));
  await settled();
  assert.deepEqual(states(queue), ['sent', 'failed', 'failed', 'failed', 'failed', 'sent']);
  assert.deepEqual([queue.pause(), queue.progress().failed], [null, 4]);
  assert.deepEqual(hub.patches.map(({ name }) => name).filter((name) => name === 'c.jpg'), ['c.jpg'], 'sent once');
  hub.refuse = hub.refuseEnd = () => null;
  for (const { id } of queue.failed()) await queue.withdraw(id);
  assert.equal((await originals.all()).length, 0);
});

test('an upload that ended while its bytes were on their way begins anew, if there is a place for it', async () => {
  const hub = new UploadHub();
  const { queue } = phone(hub);
  hub.hold = true;
  await queue.add([file('a.jpg', 1_000), file('b.jpg', 1_000, 2)]);
  await settled();
  hub.uploads.clear();
  hub.refuse = ({ name }) => (name === 'b.jpg' ? [404, 40486] : null);
  hub.release();
  await settled();
  assert.deepEqual([states(queue), hub.pictures.map(({ name }) => name)], [['sent', 'failed'], ['a.jpg']]);
});

test('a file of no bytes is said to be empty, and never sent or kept', async () => {
  const hub = new UploadHub();
  const { queue, originals } = phone(hub);
  await queue.add([file('a.jpg', 0), file('b.jpg', 1_000)]);
  await settled();
  assert.deepEqual([states(queue), queue.items()[0].error], [['failed', 'sent'], { kind: 'empty' }]);
  await queue.retry();
  assert.deepEqual([states(queue), hub.uploads.size, (await originals.all()).length], [['failed', 'sent'], 1, 0]);
});

test('a full hub is asked again later, a closed album stops all, and nothing is lost', async () => {
  const hub = new UploadHub();
  const { queue, clock, originals } = phone(hub);
  hub.refuse = () => [507, 50701];
  await queue.add([file('a.jpg', 1_000)]);
  await settled();
  assert.deepEqual([states(queue), queue.pause()], [['waits'], 'full']);
  hub.refuse = () => [410, 41065];
  clock.pass(WAITS.full);
  await settled();
  assert.deepEqual([states(queue), queue.pause()], [['waits'], 'stopped']);
  assert.equal(clock.waiting.length, 0, 'nothing is tried by itself');
  assert.equal((await originals.all()).length, 1);
  hub.refuse = () => null;
  await queue.retry();
  await settled();
  assert.deepEqual([states(queue), queue.pause()], [['sent'], null]);
});

test('a picture is taken back: before, while and after it is sent', async () => {
  const hub = new UploadHub();
  const { queue, originals } = phone(hub);
  hub.isDown = true;
  await queue.add([file('a.jpg', 1_000), file('b.jpg', 50_000, 2), file('c.jpg', 1_000, 3)]);
  await settled();
  await queue.withdraw(queue.items()[0].id);
  hub.isDown = false;
  hub.hold = true;
  queue.wake();
  await settled();
  const [second] = queue.items();
  assert.equal(second.state, 'sending');
  await queue.withdraw(second.id);
  hub.release();
  await settled();
  assert.deepEqual(hub.pictures.map(({ name }) => name), ['c.jpg']);
  assert.equal(hub.ended, 1);
  await queue.withdraw(queue.items()[0].id);
  assert.deepEqual([hub.pictures.length, queue.items().length, (await originals.all()).length], [0, 0, 0]);
});

for (const takesAborted of ['unheard', 'heard']) {
  test(`a picture that is taken back with its last bytes on their way is removed (${takesAborted})`, async () => {
    const hub = new UploadHub();
    const { queue, originals, clock } = phone(hub);
    Object.assign(hub, { hold: true, takesAborted, busyEnds: takesAborted === 'heard' ? Infinity : 2 });
    await queue.add([file('a.jpg', 50_000)]);
    await settled();
    assert.deepEqual(states(queue), ['sending']);
    await queue.withdraw(queue.items()[0].id);
    hub.release();
    await settled();
    for (let passed = 0; passed < 3; passed += 1) {
      clock.pass(WAITS.last);
      await settled();
    }
    assert.deepEqual([hub.pictures, queue.items(), await originals.all()], [[], [], []]);
    assert.equal(hub.patches.length, 1, 'all of it had come');
  });
}

for (const end of ['the page is closed', 'six tries', 'the page is closed before the original is let go of']) {
  test(`a picture that is taken back is removed by the next page after ${end}`, async () => {
    const hub = new UploadHub();
    const before = phone(hub);
    Object.assign(hub, { hold: true, takesAborted: 'unheard', busyEnds: end === 'six tries' ? 6 : 1 });
    await before.queue.add([file('a.jpg', 50_000)]);
    await settled();
    const [row] = await before.originals.all();
    await before.queue.withdraw(before.queue.items()[0].id);
    hub.release();
    await settled();
    for (let passed = 0; end === 'six tries' && passed < 7; passed += 1) {
      before.clock.pass(WAITS.last);
      await settled();
    }
    assert.equal(hub.pictures.length, 1);
    if (end.includes('before')) await before.originals.add(row, file('a.jpg', 50_000));
    before.queue.stop();
    const after = phone(hub, { originals: before.originals });
    await after.queue.restore();
    assert.deepEqual(after.queue.items(), [], 'it is not shown');
    await settled();
    assert.deepEqual([hub.pictures, after.queue.items(), await before.originals.all()], [[], [], []]);
    assert.equal(hub.patches.length, 1, 'nothing is sent');
  });
}

test('a page that is left while the last bytes are on their way takes nothing back', async () => {
  const hub = new UploadHub();
  const { queue } = phone(hub);
  Object.assign(hub, { hold: true, takesAborted: 'heard' });
  await queue.add([file('a.jpg', 50_000)]);
  await settled();
  queue.stop();
  hub.release();
  await settled();
  assert.equal(hub.pictures.length, 1);
});

test('of a picture that a phone can neither keep nor read this is told, and the others go on', async () => {
  const hub = new UploadHub();
  const originals = new OriginalsInMemory();
  const { add } = originals;
  originals.add = async (row, given) => {
    if (given.size > 5_000) throw Object.assign(new Error('full'), { name: 'QuotaExceededError' });
    return add.call(originals, row, given);
  };
  originals.hold = async () => { throw new DOMException('gone', 'NotReadableError'); };
  console.error = () => {};
  const { queue } = phone(hub, { originals });
  const left = await queue.add([file('big.jpg', 9_000), file('b.jpg', 1_000)]);
  await settled();
  assert.deepEqual([left, states(queue), queue.items()[0].error.kind], [0, ['failed', 'sent'], 'unkept']);
  assert.equal((await queue.file(queue.items()[0].id)).size, 9_000, 'it can still be saved');
});

test('so many at one time, and no more', async () => {
  const { queue } = phone(new UploadHub(), { mayRun: () => false });
  const left = await queue.add(Array.from({ length: MOST + 3 }, (_, n) => file(`${n}.jpg`, 1)));
  assert.deepEqual([left, queue.items().length, queue.pause()], [3, MOST, 'elsewhere']);
});

test('what is left is told in pictures, bytes and seconds, however long the hashing takes', async () => {
  const hub = Object.assign(new UploadHub(), { hold: true });
  const clock = new Clock();
  const { queue } = phone(hub, { clock, hash: async () => clock.pass(100_000) });
  await queue.add([file('a.jpg', 1_000), file('b.jpg', 3_000, 2), file('c.jpg', 6_000, 3)]);
  await settled();
  assert.deepEqual([queue.progress().all, queue.progress().left, queue.progress().bytes], [3, 3, 10_000]);
  clock.pass(2_000);
  hub.release();
  hub.hold = true;
  await settled();
  assert.equal(queue.progress().seconds, 3, 'for 6,000 bytes at 2,000 a second');
});

test('a large file goes in pieces of 16 MB at most', async () => {
  const hub = new UploadHub();
  const { queue } = phone(hub);
  await queue.add([new File([new Uint8Array(40 * 1024 * 1024)], 'v.mp4', { type: 'video/mp4' })]);
  await settled();
  assert.deepEqual(hub.patches.map(({ size }) => size), [LIMITS.chunk, LIMITS.chunk, 8 * 1024 * 1024]);
  assert.deepEqual(states(queue), ['sent']);
});

test('of two tabs one sends, and the other takes over when it is gone', () => {
  const clock = new Clock();
  const [one, other] = [new Lease('a', { clock }), new Lease('a', { clock })];
  let turned = 0;
  one.start(() => {});
  other.start(() => { turned += 1; });
  assert.deepEqual([one.take(), other.take()], [true, false]);
  clock.pass(20_000);
  assert.deepEqual([one.take(), other.take(), turned], [true, false, 0]);
  one.end();
  clock.pass(8_000);
  assert.deepEqual([other.take(), turned], [true, 1]);
});

test('what another tab adds is sent by the one that sends, and both see it go', async () => {
  const hub = new UploadHub();
  const one = phone(hub, { tell: () => other.queue.restore() });
  const other = phone(hub, { originals: one.originals, mayRun: () => false, tell: () => one.queue.restore() });
  await other.queue.add([file('a.jpg', 1_000)]);
  await settled();
  assert.equal(hub.pictures.length, 1);
  assert.deepEqual([states(one.queue), states(other.queue)], [['sent'], []]);
});

test('a sound follows its picture, wherever that is by then, and goes with it', async () => {
  const hub = new UploadHub();
  const { queue, originals } = phone(hub);
  const sound = () => new File([new Uint8Array(900)], 'sound.webm', { type: 'audio/webm' });
  hub.isDown = true;
  await queue.add([file('a.jpg', 1_000), file('b.jpg', 1_000, 2)]);
  await queue.addSound(queue.items()[0].id, sound());
  await queue.addSound(queue.items()[1].id, sound());
  await settled();
  assert.equal(queue.progress().all, 2, 'sounds are no pictures');
  await queue.withdraw(queue.items()[1].id);
  assert.equal(queue.items().length, 2);
  queue.stop();
  const next = phone(hub, { originals });
  hub.isDown = false;
  await next.queue.restore();
  await settled();
  assert.deepEqual(hub.pictures.map(({ name, soundOf }) => [name, soundOf]),
    [['a.jpg', undefined], ['sound.webm', hub.pictures[0].id]]);
  await next.queue.addSound(next.queue.items()[0].id, sound());
  await settled();
  assert.equal(hub.pictures.at(-1).soundOf, hub.pictures[0].id);
  assert.equal((await originals.all()).length, 0);
});

test('a sound whose picture was removed goes with it; one that was refused is told', async () => {
  const hub = new UploadHub();
  const { queue, originals } = phone(hub);
  const sound = () => new File([new Uint8Array(900)], 'sound.webm', { type: 'audio/webm' });
  hub.refuse = () => [404, 40466];
  await queue.addSoundOf('removed', sound());
  await settled();
  assert.deepEqual([queue.items(), await originals.all()], [[], []]);
  hub.refuse = () => [413, 41375];
  await queue.addSoundOf('there', sound());
  await settled();
  assert.deepEqual([queue.failed().length, queue.progress().failed, queue.pictures().length], [1, 1, 0]);
});

test('verdicts: no network, busy, full, stopped, refused', () => {
  const world = { stopping: STOPPING, random: () => 1 };
  const of = (status, fields = {}) => verdict(Object.assign(new HubError(status), fields), 0, world);
  assert.deepEqual(verdict(new TypeError(), 3, world), { kind: 'network', wait: 8_000 });
  assert.deepEqual(verdict(new TypeError(), 99, world).wait, WAITS.last);
  assert.deepEqual(of(429, { after: 20 }), { kind: 'busy', wait: 20_000 });
  assert.equal(of(410, { code: 41065 }).kind, 'stopped', 'the album is closed, and not the upload gone');
  assert.deepEqual([of(503).kind, of(507).kind, of(401).kind, of(413).kind, of(403).wait],
    ['busy', 'full', 'stopped', 'refused', 1_000]);
  const coded = (status, code, fields) => of(status, { code, ...fields }).kind;
  assert.deepEqual([of(404).kind, of(403).kind, coded(404, 40401)], ['busy', 'busy', 'busy'], 'not the hub’s word');
  for (const code of [40369, 40486, 41075, 40967]) assert.equal(coded(Math.floor(code / 100), code), 'refused');
  assert.equal(coded(409, 40975, { offset: '12' }), 'busy', 'another tab sends it too');
});

test('names are told in Upload-Metadata as they are, and empty values not at all', () => {
  assert.equal(metadataOf({ filename: 'Möwe.jpg', filetype: '', taken: null }),
    `filename ${Buffer.from('Möwe.jpg').toString('base64')}`);
});

test('the worker’s hash is that of everybody else, in pieces of any length', async () => {
  const answers = [];
  globalThis.self = { postMessage: (message) => answers.push(message) };
  await page('/uploads/hash-worker.js');
  for (const size of [0, 1, 55, 56, 63, 64, 65, 119, 128, 10_000, 200_003]) {
    const bytes = new Uint8Array(await file('x', size).arrayBuffer());
    for (let from = 0; from < size;) {
      const to = Math.min(size, from + 1 + ((from * 7) % 4_999));
      self.onmessage({ data: { id: size, bytes: bytes.slice(from, to).buffer } });
      from = to;
    }
    self.onmessage({ data: { id: size, isLast: true } });
    assert.equal(answers.at(-1).hex, createHash('sha256').update(bytes).digest('hex'), String(size));
  }
});
