// The answers that are stored on this device, with a database of which the browser ends connections.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const { done, insist } = await page('/done.js');
const { withinDatabase } = await page('/database.js');
const { ask, keep, noteInside, recall, revise } = await page('/keep.js');
const { ANSWERS, MINE } = await page('/migrations.js');

const stores = { [ANSWERS]: new Map(), [MINE]: new Map() };
const connections = [];
const open = new Set(); // transactions that nobody has ended
const later = (request, result) => {
  queueMicrotask(() => request.onsuccess?.({ target: Object.assign(request, { result }) }));
  return request;
};

class Connection {
  isEnded = false;

  transaction(name) {
    if (this.isEnded) throw new DOMException('The database connection is closing.', 'InvalidStateError');
    const transaction = {
      commit() {
        open.delete(transaction);
        setTimeout(() => transaction.oncomplete?.());
      },
      objectStore: () => ({
        get: (key) => later({}, stores[name].get(key)),
        put: (value, key) => later({}, stores[name].set(key, value)),
        clear: () => later({}, stores[name].clear()),
        delete: (key) => later({}, stores[name].delete(key)),
      }),
    };
    open.add(transaction);
    return transaction;
  }
}

globalThis.localStorage = {
  getItem(key) { return this[key] ?? null; },
  setItem(key, value) { this[key] = value; },
  removeItem(key) { delete this[key]; },
};
globalThis.indexedDB = {
  open() {
    connections.push(new Connection());
    return later({ result: connections.at(-1) }, connections.at(-1));
  },
  deleteDatabase() {},
};

/** As on a phone that has slept: no event tells so. */
const end = () => { connections.at(-1).isEnded = true; };

test('what only somebody was told goes when they sign out, also where the connection has ended', async () => {
  await noteInside(true);
  stores[MINE].set('session', { body: { person: { id: '1' } }, at: 1 });
  assert.ok(await recall('session'));
  end();
  await noteInside(false);
  assert.deepEqual([...stores[MINE].keys()], []);
  assert.equal(connections.length, 2);
});

test('nothing else is lost by it, either', async () => {
  end();
  await keep('sign', { open: true });
  assert.deepEqual((await recall('sign')).body, { open: true });
  end();
  assert.deepEqual(await revise('sign', ({ open }) => ({ open: !open })), { open: false });
  const { length } = connections;
  connections.at(-1).onclose();
  assert.deepEqual((await recall('sign')).body, { open: false });
  assert.equal(connections.length, length + 1);
});

test('rooms’ own databases go on after it, too: pictures that wait on a phone are sent', async () => {
  const within = withinDatabase('pictures', [() => {}]);
  const read = () => within('readonly', [ANSWERS], (answers) => done(answers.get('sign')));
  assert.ok(await read());
  end();
  assert.ok(await read());
});

test('what is kept goes when the hub says that it is gone, not when what stands before it does', async (context) => {
  await keep('sign', 'open');
  const isKeptAfter = async (body) => {
    context.mock.method(globalThis, 'fetch', async () => new Response(body, { status: 404 }));
    await assert.rejects(ask('sign', '/sign'), { status: 404 });
    await new Promise((resolve) => { setTimeout(resolve); });
    return await recall('sign') !== undefined;
  };
  assert.ok(await isKeptAfter('404 page not found'));
  assert.ok(!await isKeptAfter('{"code": 40411}'));
});

test('no transaction is left for the page to end: in WebKit one of a page that is gone blocks later ones', async () => {
  const within = withinDatabase('others', [() => {}]);
  const seen = [];
  await keep('place', { at: 1 });
  recall('place');
  await within('readonly', [ANSWERS], (answers) => {
    const request = done(answers.get('place'));
    queueMicrotask(() => seen.push(open.size)); // before there is an answer
    return request;
  });
  await revise('place', ({ at }) => ({ at: at + 1 }));
  await within('readwrite', [ANSWERS], (answers) => done(answers.get('place')),
    ({ body }, answers) => done(answers.put({ body: { at: body.at + 1 } }, 'place')));
  assert.deepEqual([seen, open.size, stores[ANSWERS].get('place').body], [[0], 0, { at: 3 }]);
});

test('what cannot be loaded is asked for again, and ever less often', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  context.mock.method(console, 'warn', () => {});
  context.mock.method(Math, 'random', () => 0);
  let asked = 0;
  const loading = insist(async () => {
    asked += 1;
    if (asked < 4) throw new TypeError('no network');
    return 'there';
  });
  const passed = async (ms) => {
    context.mock.timers.tick(ms);
    await new Promise((resolve) => { setImmediate(resolve); });
    return asked;
  };
  assert.deepEqual([await passed(0), await passed(3_000), await passed(3_000), await passed(3_000)], [1, 2, 2, 3]);
  assert.equal(await passed(12_000), 4);
  assert.equal(await loading, 'there');
});
