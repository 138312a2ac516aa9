// Pictures kept on the device: the reckoning, the keeper with a full device, a hub that is away and one that lies, the
// check after an update.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { Memory, sha } from './portfolio-memory.mjs';

const { signal } = await page('/ui.js');
const { isKept, keptOf, mayKeep, nextOf, reckon, wanted } = await page('/portfolio/keeping/reckoning.js');
const { keyAt, keyOf, rangeOf } = await page('/portfolio/keeping/names.js');
const { checkAll, checkCount } = await page('/portfolio/keeping/check.js');
const { versionOf } = await page('/portfolio/keeping/version.js');
const { Keeper } = await page('/portfolio/keeping/keeper.js');

const bytesOf = (name) => new TextEncoder().encode(name.padEnd(name.includes('2048') ? 900 : 90, '.')).buffer;

function picture(portfolio, id, version = 1) {
  const file = (size) => {
    const bytes = bytesOf(`${portfolio}/${id}/${size}/${version}`);
    return { url: `/api/v1/portfolios/${portfolio}/files/${id}/${size}?v=${version}`, bytes: bytes.byteLength,
      sha256: sha(bytes) };
  };
  return { id, version, sizes: { 320: file(320), 2048: file(2048) } };
}

const gallery = (portfolio, id, count) => ({ portfolio, id,
  pictures: Array.from({ length: count }, (_, index) => picture(portfolio, `${id}${index}`)) });

/** A keeper with a hub that answers `answer(path, cache)`: undefined for the file, or {status}, {bytes}, or throws. */
function world({ galleries, room, answer = () => undefined, settings = {}, conditions = {} }) {
  const store = new Memory(room);
  const asked = [];
  const waits = [];
  const library = { known: signal(galleries), isWhole: signal(true) };
  const chosen = signal({ isKept: true, isMobileToo: false, first: [], ...settings });
  const now = { isTrusted: true, isOnline: true, isInside: true, ...conditions };
  const keeper = new Keeper({ store, library, settings: chosen, world: {
    hash: async (bytes) => sha(bytes),
    wait: (act, time) => {
      waits.push({ act, time });
      return () => {};
    },
    alone: (act) => act(),
    conditions: () => now,
    isInside: () => now.isInside,
    fetch: async (url, { cache }) => {
      asked.push(url);
      const said = answer(url, cache);
      const [, portfolio, id, size, version] = /portfolios\/(.+)\/files\/(.+)\/(\d+)\?v=(\d+)/.exec(url);
      const bytes = said?.bytes ?? bytesOf(`${portfolio}/${id}/${size}/${version}`);
      const status = said?.status ?? 200;
      return { ok: status < 300, status, arrayBuffer: async () => bytes, json: async () => said.told,
        headers: new Headers({ 'Content-Type': 'image/jpeg', ...said?.headers }) };
    },
  } });
  const until = async (...states) => {
    for (let turn = 0; turn < 2_000 && !states.includes(keeper.state.peek()); turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(states.includes(keeper.state.peek()), `${keeper.state.peek()} is not ${states}`);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { store, asked, waits, library, chosen, keeper, now, until };
}

const sizeOf = (url) => /(\d+)\?/.exec(url)[1];

test('small pictures are wanted first, chosen galleries first, each file once', () => {
  const galleries = [gallery('p', 'a', 2), gallery('p', 'b', 2)];
  galleries[1].pictures.push(galleries[0].pictures[0]); // in two galleries
  const keys = wanted(galleries, new Set(['p/b'])).map(({ key }) => key);
  assert.deepEqual(keys, ['p/b0/320', 'p/b1/320', 'p/a0/320', 'p/a1/320', 'p/b0/2048', 'p/b1/2048', 'p/a0/2048',
    'p/a1/2048']);
});

test('what is kept is what the hub has now: another checksum is missing, what nobody names is older', () => {
  const galleries = [gallery('p', 'a', 2)];
  const files = wanted(galleries);
  const row = ({ sha256, bytes }) => ({ sha256, bytes, version: 1 });
  const rows = new Map([[files[0].key, row(files[0])], [files[1].key, { ...row(files[1]), sha256: 'other' }],
    ['p/gone/320', row(files[0])]]);
  const { kept, missing, older, bytes, missingBytes } = reckon(files, rows);
  assert.deepEqual([kept, missing.length, older, bytes], [1, 3, ['p/gone/320'], files[0].bytes]);
  assert.equal(missingBytes, files[1].bytes + files[2].bytes + files[3].bytes);
  assert.equal(isKept(undefined, files[0]), false);
  assert.deepEqual(keptOf(galleries[0], rows), { kept: 0, count: 2, bytes: files[0].bytes });
  rows.set(files[2].key, row(files[2]));
  assert.equal(keptOf(galleries[0], rows).kept, 1, 'a picture is kept in all its sizes');
});

test('several small files are fetched together, a large one alone', () => {
  const of = (...sizes) => sizes.map((bytes) => ({ bytes }));
  assert.equal(nextOf(of(...Array(100).fill(10_000))).length, 24);
  assert.equal(nextOf(of(600_000, 600_000)).length, 1);
  assert.equal(nextOf(of(9_000_000)).length, 1);
  assert.deepEqual(nextOf([]), []);
});

test('nothing is fetched where it is not wished or not possible', () => {
  const usual = { isOn: true, isMobileToo: false, isTrusted: true, isOnline: true };
  assert.equal(mayKeep(usual), 'go');
  assert.equal(mayKeep({ ...usual, isOn: false }), 'off');
  assert.equal(mayKeep({ ...usual, isOnline: false }), 'offline');
  assert.equal(mayKeep({ ...usual, isTrusted: false }), 'insecure');
  assert.equal(mayKeep({ ...usual, connection: { saveData: true } }), 'mobile');
  assert.equal(mayKeep({ ...usual, connection: { type: 'cellular' } }), 'mobile');
  assert.equal(mayKeep({ ...usual, isMobileToo: true, connection: { type: 'cellular', saveData: true } }), 'go');
});

test('the keeper fetches all, small ones first, and once', async () => {
  const { keeper, asked, until, store } = world({ galleries: [gallery('p', 'a', 40), gallery('p', 'b', 10)] });
  await keeper.start();
  await until('whole');
  assert.equal(asked.length, 100);
  assert.ok(asked.slice(0, 50).every((url) => sizeOf(url) === '320'));
  assert.equal(store.files.size, 100);
  keeper.go();
  await until('whole');
  assert.equal(asked.length, 100);
});

test('while many files are kept, they are told several at once, and all of them at the end', async () => {
  const { keeper, until } = world({ galleries: [gallery('p', 'a', 500)] });
  await keeper.start();
  const before = keeper.turn.peek();
  await until('whole');
  const batches = 1_000 / 24;
  assert.ok(keeper.turn.peek() - before < batches / 2, `${keeper.turn.peek() - before} times`);
  assert.deepEqual([keeper.sum.peek().kept, keeper.sum.peek().missing], [1_000, []]);
});

test('a new version is fetched, and the old one stays until it is here; what is gone goes', async () => {
  const { keeper, library, until, store, asked } = world({ galleries: [gallery('p', 'a', 3)] });
  await keeper.start();
  await until('whole');
  const [first, second] = library.known.peek()[0].pictures;
  library.known.set([{ portfolio: 'p', id: 'a', pictures: [picture('p', first.id, 2), second] }]);
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(asked.length, 8);
  assert.equal(store.rowsNow.get(keyOf('p', first.id, '2048')).version, 2);
  assert.deepEqual([...store.files.keys()].sort(), ['p/a0/2048', 'p/a0/320', 'p/a1/2048', 'p/a1/320']);
});

test('a list that could not be fetched removes nothing', async () => {
  const { keeper, library, until, store } = world({ galleries: [gallery('p', 'a', 3)] });
  await keeper.start();
  await until('whole');
  library.isWhole.set(false);
  library.known.set([]);
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(store.files.size, 6);
});

test('what the hub does not name any more goes, too, while nothing is fetched', async () => {
  for (const [state, how] of [['mobile', { connection: { type: 'cellular' } }], ['offline', { isOnline: false }],
    ['off', {}]]) {
    const { keeper, library, until, store, now, chosen } = world({ galleries: [gallery('p', 'a', 3)] });
    await keeper.start();
    await until('whole');
    Object.assign(now, how);
    chosen.set({ ...chosen.peek(), isKept: state !== 'off' });
    await until(state);
    library.isWhole.set(false);
    library.known.set([]);
    await until(state);
    assert.equal(store.files.size, 6, 'the list is not known to be complete');
    library.isWhole.set(true);
    await until(state);
    assert.deepEqual([store.files.size, keeper.rows.size], [0, 0], state);
  }
});

test('what is still on its way when somebody signs out, or removes all, is not kept', async () => {
  for (const [state, isElsewhere] of [['outside', true], ['off', true], ['off', false]]) {
    const { keeper, until, store, asked, now, chosen } = world({ galleries: [gallery('p', 'a', 60)], answer: () => {
      if (asked.length !== 30) return; // in the second part
      if (state === 'outside') now.isInside = false;
      else chosen.set({ ...chosen.peek(), isKept: false });
      if (isElsewhere) store.remove([...store.rowsNow.keys()]); // another tab
      else keeper.empty();
    } });
    await keeper.start();
    await until(state);
    assert.deepEqual([store.files.size, store.rowsNow.size, asked.length], [0, 0, 48], state);
    if (state === 'outside') continue;
    chosen.set({ ...chosen.peek(), isKept: true });
    await until('whole');
    assert.equal(store.files.size, 120, 'it knows that nothing was here');
  }
});

test('a full device keeps what fits, says so, and goes on when there is room', async () => {
  const { keeper, until, store } = world({ galleries: [gallery('p', 'a', 10)], room: 10 * 90 + 4 * 900 + 100 });
  await keeper.start();
  await until('full');
  assert.equal([...store.files.keys()].filter((key) => key.endsWith('/320')).length, 10);
  assert.equal([...store.files.keys()].filter((key) => key.endsWith('/2048')).length, 4);
  assert.deepEqual([...store.rowsNow.keys()].sort(), [...store.files.keys()].sort());
  store.room = Infinity;
  keeper.again();
  await until('whole');
  assert.equal(store.files.size, 20);
});

test('a full device lets go of what the hub has no more before it fetches what is new', async () => {
  const { keeper, library, until, store } = world({ galleries: [gallery('p', 'a', 4)], room: 4 * 990 + 100 });
  await keeper.start();
  await until('whole');
  library.known.set([gallery('p', 'b', 4)]);
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(keeper.state.peek(), 'whole');
  assert.deepEqual([...store.files.keys()].filter((key) => !key.startsWith('p/b')), []);
});

test('a small picture that the browser has is not fetched from the hub again, unless its copy is damaged', async () => {
  const modes = [];
  const { keeper, until } = world({ galleries: [gallery('p', 'a', 2)], answer: (url, cache) => {
    modes.push(`${sizeOf(url)} ${cache}`);
    return cache === 'default' && url.includes('a1') ? { bytes: bytesOf('damaged') } : undefined;
  } });
  await keeper.start().then(() => until('whole'));
  assert.deepEqual(modes.sort().join(), '2048 no-store,2048 no-store,320 default,320 default,320 no-store');
});

test('what arrives wrong, or not at all, is listed by itself; all others are kept', async () => {
  const { keeper, until, store, library } = world({ galleries: [gallery('p', 'a', 6)], answer: (url) => {
    if (url.includes('/a2/2048?v=1')) return { bytes: bytesOf('half of it') };
    return url.includes('/a3/320') ? { status: 404, told: { code: 40487 } } : undefined;
  } });
  await keeper.start();
  await until('short');
  assert.deepEqual([...keeper.failed.peek()].map(([key, { why }]) => [key, why]),
    [['p/a3/320', 'gone'], ['p/a2/2048', 'wrong']]);
  assert.equal(store.files.size, 10);
  const [, , changed, ...others] = library.known.peek()[0].pictures; // without the picture that the hub lacks a file of
  library.known.set([{ portfolio: 'p', id: 'a', pictures: [picture('p', changed.id, 2), ...others.slice(1)] }]);
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([keeper.state.peek(), keeper.failed.peek().size], ['whole', 0]);
});

test('a hub that is away is waited for, one that asks for a pause gets it, one that knows us no more is not asked',
  async () => {
    let said = { status: 503, headers: { 'Retry-After': '7' } };
    const { keeper, until, waits, asked } = world({ galleries: [gallery('p', 'a', 6)], answer: () => said });
    await keeper.start();
    await until('waiting');
    assert.deepEqual([asked.length, waits[0].time], [12, 7_000]);
    said = { status: 404, told: {} }; // of a web server before it
    waits.pop().act();
    for (let turn = 0; turn < 50 && !waits.length; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([keeper.state.peek(), keeper.failed.peek().size], ['waiting', 0]);
    said = undefined;
    waits.pop().act();
    await until('whole');
    const outside = world({ galleries: [gallery('p', 'a', 60)], answer: () => ({ status: 401 }) });
    await outside.keeper.start();
    await outside.until('outside');
    assert.ok(outside.asked.length <= 24);
  });

test('on mobile data nothing is fetched; turned on meanwhile, it goes on', async () => {
  const { keeper, until, asked, now, chosen } = world({
    galleries: [gallery('p', 'a', 4)], conditions: { connection: { type: 'cellular' } } });
  await keeper.start();
  await until('mobile');
  assert.equal(asked.length, 0);
  now.connection = undefined;
  keeper.go();
  await until('whole');
  chosen.set({ ...chosen.peek(), isKept: false });
  await until('off');
});

test('after an update all is counted and hashed; what is missing or damaged is fetched again in its size', async () => {
  const { keeper, until, store, asked } = world({ galleries: [gallery('p', 'a', 12)] });
  await keeper.start();
  await until('whole');
  store.files.delete('p/a3/2048'); // the browser lost it
  store.files.set('p/a4/2048', { ...store.files.get('p/a4/320') }); // a small one in the place of a large one
  const damaged = store.files.get('p/a5/320').bytes.slice(0);
  new Uint8Array(damaged)[7] ^= 1;
  store.files.set('p/a5/320', { ...store.files.get('p/a5/320'), bytes: damaged });
  asked.length = 0;
  await keeper.checkNow();
  assert.deepEqual(keeper.check.peek(), { counted: 24, small: 11, large: 10, lost: { small: 1, large: 2 } });
  await until('whole');
  assert.deepEqual(asked.map((url) => url.split('/files/')[1]).sort(), ['a3/2048?v=1', 'a4/2048?v=1', 'a5/320?v=1']);
  await keeper.checkNow();
  assert.deepEqual(keeper.check.peek(), { counted: 24, small: 12, large: 12, lost: { small: 0, large: 0 } });
});

test('what was gone at the start is told with the first check', async () => {
  const { keeper, until, store } = world({ galleries: [gallery('p', 'a', 3)] });
  store.rowsNow.set('p/a1/2048', { sha256: 'x', bytes: 1, version: 1 });
  await keeper.start();
  await until('whole');
  await keeper.checkNow();
  assert.deepEqual(keeper.check.peek(), { counted: 7, small: 3, large: 3, lost: { small: 0, large: 1 } });
});

test('each start counts: a row without its file is no row', async () => {
  const store = new Memory();
  store.rowsNow.set('p/a/320', { sha256: 'x', bytes: 1, version: 1 });
  assert.deepEqual(await checkCount(store), ['p/a/320']);
  assert.equal(store.rowsNow.size, 0);
  assert.deepEqual(await checkAll(store), { counted: 0, small: 0, large: 0, lost: [] });
});

test('addresses of files have keys, and no other addresses', () => {
  assert.equal(keyAt('/api/v1/portfolios/3/files/a%2Fb/2048'), keyOf('3', 'a/b', '2048'));
  for (const one of ['/api/v1/portfolios/3', '/api/v1/portfolios/3/files/a', '/x/api/v1/portfolios/3/files/a/320']) {
    assert.equal(keyAt(one), null);
  }
});

test('parts of a kept video are as RFC 9110 writes them', () => {
  assert.deepEqual(rangeOf('bytes=0-', 10), { from: 0, to: 10 });
  assert.deepEqual(rangeOf('bytes=2-4', 10), { from: 2, to: 5 });
  assert.deepEqual(rangeOf('bytes=-3', 10), { from: 7, to: 10 });
  assert.deepEqual(rangeOf('bytes=8-99', 10), { from: 8, to: 10 });
  assert.equal(rangeOf('bytes=10-', 10), undefined);
  for (const one of [null, '', 'bytes=-', 'bytes=1-2,4-5', 'lines=1-2']) assert.equal(rangeOf(one, 10), null);
});

test('the version of the pages is that of the caches they are in', () => {
  const names = ['eightbells-pages-ab12', 'eightbells-room-portfolio-cd34', 'eightbells-room-albums-ef', 'other'];
  assert.equal(versionOf(names), 'eightbells-pages-ab12,eightbells-room-portfolio-cd34');
  assert.equal(versionOf(['eightbells-pages-ab12-coming']), '');
});
