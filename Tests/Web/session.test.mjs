// The rights of the signed-in person, as the hub tells them with the session, and answers that are lost on the way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

globalThis.navigator ??= { onLine: true }; // Node.js 18 has none
const { change, create, exchange, may, NOTHING, refreshSession, session } = await page('/session.js');
const { noteInside, recall, wasInside } = await page('/keep.js');
const { withinDatabase } = await page('/database.js');
const { UNKNOWN } = await page('/migrations.js');

/** Asks a hub that answers so. */
async function told(answer) {
  globalThis.fetch = async () => new Response(JSON.stringify(answer));
  await refreshSession();
}

const person = { id: '1', name: 'Ada', role: 'owner' };
const device = { id: '2', name: 'phone' };

class Kept {
  getItem(key) { return this[key] ?? null; }
  setItem(key, value) { this[key] = value; }
  removeItem(key) { delete this[key]; }
}

test('pages ask for rights, and roles decide nothing', async () => {
  assert.equal(may('door.open'), false, 'not known yet');
  await told({ person, device, rights: ['hub.enter', 'door.open'] });
  assert.deepEqual([may('door.open'), may('hub.enter'), may('hub.manage'), may('door')], [true, true, false, false]);
  await told({ person, device, rights: ['hub.enter'] });
  assert.equal(may('door.open'), false, 'it was taken away');
  await told({ person: null, device: null, rights: [] });
  assert.deepEqual([session(), may('hub.enter')], [null, false]);
});

test('a session kept before rights were told leaves the rooms open, and no more of the hub than it says', async () => {
  await told({ person, device, rights: [UNKNOWN] });
  assert.deepEqual([may('door.open'), may('clock.wind'), may('hub.manage')], [true, true, false]);
});

test('members’ databases and caches go when they sign out, also where a browser lists none', async (context) => {
  const deleted = [];
  const asked = [];
  const { fetch } = globalThis;
  globalThis.fetch = async (url) => { asked.push(url); };
  globalThis.localStorage = new Kept();
  globalThis.indexedDB = { deleteDatabase: (name) => deleted.push(name) }; // nor does it open any here
  const caches = new Set(['eightbells-mine-clock-parts', 'eightbells-kept']);
  globalThis.caches = { keys: async () => [...caches], delete: async (name) => caches.delete(name) };
  context.after(() => {
    globalThis.fetch = fetch;
    delete globalThis.localStorage;
    delete globalThis.indexedDB;
    delete globalThis.caches;
  });
  await noteInside(true);
  for (const name of ['eightbells-mine-later', 'eightbells-others']) {
    await assert.rejects(withinDatabase(name, [])('readonly', [], () => {}));
  }
  localStorage.setItem('eightbells-mine-links', '["secret"]');
  const leaving = noteInside(false);
  assert.equal(localStorage.getItem('eightbells-mine-links'), null, 'at once: the page may be closed now');
  await leaving;
  assert.deepEqual(deleted.sort(), [
    'eightbells-mine-later', 'eightbells-mine-portfolio', 'eightbells-mine-portfolio-uploads']);
  assert.deepEqual([...caches], ['eightbells-kept']);
  await noteInside(false);
  assert.deepEqual(asked, ['/api/v1/session?ended=1'], 'once: for pictures in the browser’s cache');
  assert.deepEqual(Object.keys(localStorage), []);
});

/** Counts the requests; each gets the next answer, with a body that breaks off where it is null. */
function answering(...bodies) {
  const keys = [];
  globalThis.fetch = async (_, { headers }) => {
    keys.push(headers['Idempotency-Key']);
    const body = bodies.shift();
    return new Response(body === null ? '{"id": ' : JSON.stringify(body), { headers: { ETag: '"1"' } });
  };
  return keys;
}

test('a change says what it is based on, also that there was nothing', async () => {
  const conditions = async (onlyIf) => {
    let fields;
    globalThis.fetch = async (_, { headers }) => {
      fields = headers;
      return new Response('{}');
    };
    await exchange('PUT', '/api/v1/things', {}, onlyIf);
    return [fields['If-Match'], fields['If-None-Match']];
  };
  assert.deepEqual(await conditions('"1"'), ['"1"', undefined]);
  assert.deepEqual(await conditions(NOTHING), [undefined, '*']);
  assert.deepEqual(await conditions(null), [undefined, undefined]);
});

test('an answer that breaks off is lost: a POST is repeated once with its key, all else fails', async () => {
  let keys = answering(null, { id: '7' });
  assert.deepEqual(await exchange('POST', '/api/v1/things', {}), { answer: { id: '7' }, tag: '"1"' });
  assert.ok(keys.length === 2 && keys[0] && keys[0] === keys[1], keys.join());
  keys = answering(null, null);
  await assert.rejects(exchange('POST', '/api/v1/things', {}), SyntaxError);
  assert.equal(keys.length, 2);
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    keys = answering(null);
    await assert.rejects(exchange(method, '/api/v1/things'), SyntaxError);
    assert.equal(keys.length, 1);
  }
});

test('what is made again after a lost answer has the same key, until there was an answer', async () => {
  const url = '/api/v1/bells';
  const lost = () => assert.rejects(create(url, { title: 'Supper' }));
  const keys = answering(null, null, { id: '7' }, { id: '8' });
  await lost();
  await create(url, { title: 'Supper' });
  await create(url, { title: 'Supper' });
  assert.deepEqual([new Set(keys.slice(0, 3)).size, keys[3] === keys[2]], [1, false]);
  const others = answering(null, null, { id: '9' }, null, null, {}, { id: '10' });
  await lost();
  await create(url, { title: 'Breakfast' });
  assert.notEqual(others[2], others[1], 'another text is another thing');
  await lost();
  await change('DELETE', `${url}/9`);
  await create(url, { title: 'Supper' });
  assert.notEqual(others[6], others[4], 'it may have been removed meanwhile');
});

test('what sets a state has another key at each press, also after a lost answer: it may be wanted again', async () => {
  const keys = answering(null, null, {});
  await assert.rejects(change('POST', '/api/v1/anchor/acknowledge', {}));
  await change('POST', '/api/v1/anchor/acknowledge', {});
  assert.ok(keys[0] === keys[1] && keys[2] !== keys[1], keys.join());
});

test('an answer of a web server before the hub says nothing of what was sent', async () => {
  const keys = [];
  const statuses = [502, 201];
  globalThis.fetch = async (_, { headers }) => {
    keys.push(headers['Idempotency-Key']);
    return new Response('{}', { status: statuses.shift() });
  };
  await assert.rejects(create('/api/v1/albums', {}));
  await create('/api/v1/albums', {});
  assert.equal(keys[0], keys[1]);
});

test('where the browser never answers about what is stored, the hub alone tells who is signed in', async (context) => {
  const { setTimeout: waits } = globalThis;
  globalThis.setTimeout = (act, wait, ...rest) => waits(act, wait / 100, ...rest);
  const opening = {};
  globalThis.indexedDB = { open: () => opening };
  globalThis.localStorage = new Kept();
  context.after(() => {
    globalThis.setTimeout = waits;
    for (const name of ['indexedDB', 'localStorage']) delete globalThis[name];
  });
  await told({ person: { ...person, id: '3' }, device, rights: [] });
  assert.equal(session().person.id, '3');
  assert.equal(await recall('session'), undefined);
  // It answers after all, with what somebody else has left.
  const done = [];
  const request = (name, result) => {
    const made = { result };
    queueMicrotask(() => made.onsuccess());
    if (name) done.push(name);
    return made;
  };
  opening.result = { transaction: () => ({ objectStore: () => ({
    get: () => request('', { body: { person, device, rights: [] }, at: 1 }),
    clear: () => request('clear'),
    put: ({ body }) => request(`put ${body.person.id}`),
  }) }) };
  opening.onsuccess();
  await new Promise((resolve) => { waits(resolve, 20); });
  assert.deepEqual([done, session().person.id, wasInside()], [['clear', 'put 3'], '3', true]);
});
