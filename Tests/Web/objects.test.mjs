// The objects on an app's page: what a cell shows, what may be typed into it, filters, and the words.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { shape } from './shape.mjs';

const {
  cell, columnsOf, filterOf, grantOf, isParses, json, mayOf, nextOrder, parsed, questionOf, shown, typed,
} = await page('/apps/objects-plan.js');
const { dictionary } = await page('/apps/objects-words.js');

globalThis.location ??= { origin: 'http://hub.example', pathname: '/apps/7' };
globalThis.navigator ??= { onLine: true }; // Node.js 20 has none
const model = await page('/apps/objects-model.js');

const schema = {
  className: 'Game',
  fields: {
    objectId: { type: 'String' }, createdAt: { type: 'Date' }, updatedAt: { type: 'Date' }, ACL: { type: 'ACL' },
    turn: { type: 'Pointer', targetClass: 'Player' }, round: { type: 'Number' }, players: { type: 'Relation' },
  },
};

test('apps that a web server before the hub could not get are told as ones of a hub that is away', async (context) => {
  const { isLost, readApps } = await page('/apps/model.js');
  context.mock.method(globalThis, 'fetch', async () => new Response('<html>Bad Gateway</html>', { status: 502 }));
  await readApps();
  assert.equal(isLost(), true);
});

test('a class’s columns begin with the id and end with times and rights, of which only rights are edited', () => {
  const columns = columnsOf(schema);
  assert.deepEqual(columns.map(({ name }) => name),
    ['objectId', 'players', 'round', 'turn', 'createdAt', 'updatedAt', 'ACL']);
  assert.deepEqual(columns.filter(({ isFixed }) => !isFixed).map(({ name }) => name), ['round', 'turn', 'ACL']);
  assert.equal(columns[3].target, 'Player');
});

test('what a cell shows is typed back into the same value', () => {
  const values = [
    ['String', 'Ahoy'], ['Number', -1.5], ['Boolean', false], ['Array', [1, 'a']], ['Object', { a: { b: 1 } }],
    ['Date', { __type: 'Date', iso: '2026-11-22T18:00:00.000Z' }],
    ['Pointer', { __type: 'Pointer', className: 'Player', objectId: 'p1' }],
    ['GeoPoint', { __type: 'GeoPoint', latitude: 54.3, longitude: -10.1 }],
  ];
  for (const [type, value] of values) {
    assert.deepEqual(parsed(typed(value), { type, target: 'Player' }), { value }, type);
  }
  assert.equal(shown({ __type: 'File', name: 'a.png', url: 'http://x' }, 'en'), 'a.png');
  assert.equal(shown(undefined, 'en'), '');
  assert.match(cell({ createdAt: '2026-11-22T18:00:00.000Z' }, { name: 'createdAt' }, 'en-GB'), /2026/);
});

test('nothing typed empties a field, and what cannot be is named', () => {
  assert.deepEqual(parsed('', { type: 'Number' }), { value: { __op: 'Delete' } });
  assert.deepEqual(parsed('3,5', { type: 'Number' }), { value: 3.5 });
  const wrong = [['seven', 'Number', 'number'], ['yes', 'Boolean', 'boolean'], ['soon', 'Date', 'date'],
    ['91, 0', 'GeoPoint', 'place'], ['{}', 'Array', 'list'], ['[]', 'Object', 'object'], ['{', 'Object', 'object']];
  for (const [text, type, problem] of wrong) assert.deepEqual(parsed(text, { type }), { problem }, text);
  assert.deepEqual(json('null', false), { problem: 'object' });
});

test('what can be read in two ways is refused, as are days that there are not', () => {
  const wrong = [['03.04.26, 18:00:00', 'Date'], ['12.11.2026', 'Date'], ['03/04/2026', 'Date'], ['5', 'Date'],
    ['2026-02-30', 'Date'], ['2026-11-22 25:00', 'Date'], ['1,234', 'Number'], ['0x10', 'Number'],
    ['Infinity', 'Number'], ['54.3,', 'GeoPoint'], ['54.3', 'GeoPoint'], ['54,3', 'GeoPoint']];
  for (const [text, type] of wrong) assert.ok(parsed(text, { type }).problem, text);
  for (const text of ['2026-11-22', '2026-11-22 00:00', '2026-11-22T00:00:00.000']) {
    assert.equal(parsed(text, { type: 'Date' }).value.iso, new Date(2026, 10, 22).toISOString(), text);
  }
  assert.equal(parsed('2026-11-22 18:00+01:00', { type: 'Date' }).value.iso, '2026-11-22T17:00:00.000Z');
  const numbers = [['1.234', 1.234], ['0,125', 0.125], ['1234,567', 1234.567], ['-1e+21', -1e21], ['.5', 0.5]];
  for (const [text, value] of numbers) assert.deepEqual(parsed(text, { type: 'Number' }), { value }, text);
});

test('a filter is a condition, in which what is typed is nothing but text', () => {
  const column = (name, type) => ({ name, type, target: '' });
  assert.deepEqual(filterOf(column('a', 'Number'), 'more', '3'), { value: { a: { $gt: 3 } } });
  assert.deepEqual(filterOf(column('a', 'String'), 'is', '{"$ne":1}'), { value: { a: '{"$ne":1}' } });
  assert.deepEqual(filterOf(column('a', 'String'), 'has', 'x\\E.*'),
    { value: { a: { $regex: '\\Qx\\E\\\\E\\Q.*\\E', $options: 'i' } } });
  assert.deepEqual(filterOf(column('createdAt', 'Date'), 'less', '2026-11-22T00:00:00Z'),
    { value: { createdAt: { $lt: { __type: 'Date', iso: '2026-11-22T00:00:00.000Z' } } } });
  assert.deepEqual(filterOf(column('a', 'Number'), 'unset', ''), { value: { a: { $exists: false } } });
  assert.deepEqual(filterOf(column('a', 'Number'), 'is', 'x'), { problem: 'number' });
  assert.deepEqual(filterOf({ name: 'a', type: 'Relation', target: 'Player' }, 'is', 'p1'),
    { value: { a: { __type: 'Pointer', className: 'Player', objectId: 'p1' } } });
});

test('a page is asked for in the newest order at first, and a head turns the order', () => {
  assert.equal(questionOf('Game', { where: null, order: '', skip: 50 }),
    '/classes/Game?order=-createdAt&limit=50&skip=50&count=1');
  const asked = new URLSearchParams(questionOf('Game', { where: { a: 'ä&b' }, order: 'a', skip: 0 }).split('?')[1]);
  assert.deepEqual(JSON.parse(asked.get('where')), { a: 'ä&b' });
  assert.deepEqual([nextOrder('', 'a'), nextOrder('a', 'a'), nextOrder('-a', 'a'), nextOrder('b', 'a')],
    ['a', '-a', '', 'a']);
});

test('who may do something is said in words, and what words cannot say stays', () => {
  const grants = [{ '*': true }, { requiresAuthentication: true }, {}, { 'role:Crew': true }, undefined];
  assert.deepEqual(grants.map((find) => mayOf({ find }, 'find')), ['everybody', 'users', 'nobody', 'some', 'nobody']);
  assert.deepEqual(grants.slice(0, 3).map((get) => grantOf(mayOf({ get }, 'get'))), grants.slice(0, 3));
  assert.equal(grantOf('some'), null);
  // Users to whom a field of an object points.
  const pointed = { find: {}, create: {}, delete: {}, readUserFields: ['owner'] };
  assert.deepEqual(Object.keys(pointed).slice(0, 3).map((action) => mayOf(pointed, action)),
    ['some', 'nobody', 'nobody']);
});

test('the fields of Parse’s own classes are those that the hub lets nobody change', () => {
  const swift = readFileSync(new URL('../../Sources/Objects/Model/ClassSchema.swift', import.meta.url), 'utf8');
  const own = swift.slice(swift.indexOf('ownFields: [String: [String: Field]]'), swift.indexOf('// MARK: As JSON'));
  const classes = [...own.matchAll(/"(_\w+)": \[([^\]]+)\]/g)];
  assert.equal(classes.length, 5);
  for (const [, className, fields] of classes) {
    for (const [, name] of fields.matchAll(/"(\w+)": Field/g)) assert.ok(isParses(className, name), name);
  }
  assert.ok(!isParses('_User', 'nickname') && !isParses('Game', 'name'));
});

test('German says everything that English says', () => {
  assert.deepEqual(shape(dictionary.de), shape(dictionary.en));
});

test('before a class goes its objects are counted, whatever is filtered', async (context) => {
  const asked = [];
  context.mock.method(globalThis, 'fetch', async (address, { method }) => {
    asked.push(`${method} ${address.split('/objects')[1]}`);
    return new Response(JSON.stringify({ results: [], count: 12 }));
  });
  model.asked.set({ ...model.asked(), where: { round: 1 } });
  assert.equal(await model.countObjects('Note'), 12);
  await model.removeObjects('Note');
  assert.deepEqual(asked, ['GET /classes/Note?limit=0&count=1', 'DELETE /purge/Note']);
});

test('objects that take longer to go than an answer may are gone once none is left, unless the hub has stopped',
  async (context) => {
    const counts = [9, 4, 0, 9, 4, 4];
    context.mock.method(globalThis, 'setTimeout', (act) => queueMicrotask(act));
    context.mock.method(globalThis, 'fetch', async (_, { method }) => {
      if (method === 'DELETE') throw new DOMException('no answer', 'TimeoutError');
      return new Response(JSON.stringify({ results: [], count: counts.shift() }));
    });
    await model.removeObjects('Note');
    assert.equal(counts.length, 3);
    await assert.rejects(model.removeObjects('Note'), { name: 'TimeoutError' });
    assert.equal(counts.length, 0);
  });

test('of two looks at the classes, or at the same objects, the later one counts, whichever is answered first',
  async (context) => {
    const waiting = [];
    context.mock.method(globalThis, 'fetch', () => new Promise((resolve) => { waiting.push(resolve); }));
    const answer = (index, body) => waiting[index](new Response(JSON.stringify(body)));
    const note = (required) => ({ results: [{ className: 'Note', fields: { text: { type: 'String', required } } }] });
    const both = async (read, older, newer) => {
      waiting.length = 0;
      const looks = [read(), read()];
      answer(1, newer);
      await looks[1];
      answer(0, older);
      await looks[0];
    };
    await both(model.readClasses, note(false), note(true));
    assert.equal(model.looked(), 'Note');
    assert.equal(model.schema().fields.text.required, true);
    await both(model.readObjects, { results: [], count: 0 }, { results: [{ objectId: 'a' }], count: 1 });
    assert.equal(model.found().count, 1);
  });

test('while a cell is edited the rows stay, and what was saved of one is in it', async (context) => {
  let hub = { objectId: 'a', updatedAt: '1', text: 'x', more: 'y' };
  context.mock.method(globalThis, 'fetch', async (_, { method }) =>
    new Response(JSON.stringify(method === 'PUT' ? { updatedAt: hub.updatedAt } : { results: [hub], count: 1 })));
  model.look('Note');
  await model.readObjects();
  const [row] = model.found().results;
  hub = { ...hub, updatedAt: '2', more: 'another’s' };
  const reading = model.readObjects();
  model.edited.set(1);
  await reading;
  assert.equal(await model.readObjects(), false, 'the hub was not asked');
  assert.equal(model.found().results[0], row);
  model.edited.set(0);
  await model.readObjects();
  const [now] = model.found().results;
  assert.equal(now.more, 'another’s');
  hub = { objectId: 'a', updatedAt: '3', more: 'mine' };
  await model.saveObject('Note', now, { text: { __op: 'Delete' } });
  await model.saveObject('Note', now, { more: 'mine' });
  await model.readObjects();
  assert.equal(model.found().results[0], now);
});

test('when the last page has no objects left, the one before is asked for', async (context) => {
  context.mock.method(globalThis, 'fetch', async () => new Response(JSON.stringify({ results: [], count: 100 })));
  model.look('Note');
  model.asked.set({ ...model.asked(), skip: 100 });
  await model.readObjects();
  assert.equal(model.asked().skip, 50);
});

test('a class that was saved is as the hub has answered, before it is read, and whatever was being read',
  async (context) => {
    const waiting = [];
    context.mock.method(globalThis, 'fetch', (address, { method }) => new Promise((resolve) => {
      waiting.push({ method, answer: (body) => resolve(new Response(JSON.stringify(body))) });
    }));
    const note = (find) => ({ className: 'Note', fields: {}, classLevelPermissions: { find, get: { '*': true } } });
    const other = { className: 'Other', fields: {} };
    const first = model.readClasses();
    waiting[0].answer({ results: [note({ '*': true }), other] });
    await first;
    const older = model.readClasses();
    const saving = model.saveClass('Note', { classLevelPermissions: note({}).classLevelPermissions });
    assert.equal(waiting[2].method, 'PUT');
    waiting[2].answer(note({}));
    await saving;
    assert.deepEqual(model.classes(), [note({}), other]);
    waiting[1].answer({ results: [note({ '*': true }), other] });
    await older;
    assert.deepEqual(model.classOf('Note'), note({}));
  });
