// The answers that are stored on this device, with a database of which the browser ends connections.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const { keep, noteInside, recall, revise } = await page('/keep.js');
const { ANSWERS, MINE } = await page('/migrations.js');

const stores = { [ANSWERS]: new Map(), [MINE]: new Map() };
const connections = [];
const later = (request, result) => {
  queueMicrotask(() => request.onsuccess?.({ target: Object.assign(request, { result }) }));
  return request;
};

class Connection {
  isEnded = false;

  transaction(name) {
    if (this.isEnded) throw new DOMException('The database connection is closing.', 'InvalidStateError');
    const transaction = {
      objectStore: () => ({
        get: (key) => later({}, stores[name].get(key)),
        put: (value, key) => later({}, stores[name].set(key, value)),
        clear: () => later({}, stores[name].clear()),
      }),
    };
    setTimeout(() => transaction.oncomplete?.());
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
