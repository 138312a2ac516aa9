// The list of notifications after "Show older ones", while newer ones come.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { page } from './pages.mjs';

globalThis.location ??= { origin: 'http://hub.example' };
const { bells, fetchOlder, hasOlder, items, markSeen } = await page('/bells/model.js');

const PAGE = 50;
let hub; // all notifications that the hub has, the newest first
let asked;

const item = (id, more = {}) => ({ id: String(id), state: 'new', ...more });
const ids = () => items().map(({ id }) => Number(id));
/** The page is told the hub's first page, as after an event. */
const refresh = () => bells.tell({ items: hub.slice(0, PAGE), unread: 0 });
const come = (...news) => {
  hub = [...news, ...hub];
  refresh();
};

/** As the hub answers: by the place in its list, whatever the ids are. */
function answer(url) {
  asked.push(url);
  const before = new URL(url, location.origin).searchParams.get('before');
  const place = hub.findIndex(({ id }) => id === before) + 1;
  return new Response(JSON.stringify({ items: hub.slice(place, place + PAGE) }));
}

beforeEach((context) => {
  asked = [];
  hub = Array.from({ length: 120 }, (_, index) => item(1_120 - index));
  bells.tell({ items: [], unread: 0 });
  refresh();
  context.mock.method(globalThis, 'fetch', async (url) => answer(url));
});

test('the last of the first page goes on being shown when newer ones come', async () => {
  assert.deepEqual(ids(), hub.slice(0, 50).map(({ id }) => Number(id)));
  await fetchOlder();
  assert.equal(ids().length, 100);
  for (const id of [1_121, 1_122]) come(item(id));
  come(item(1_124), item(1_123));
  assert.deepEqual(ids(), hub.slice(0, 104).map(({ id }) => Number(id)));
  assert.equal(hasOlder(), true);
  await fetchOlder();
  assert.deepEqual([ids().length, hasOlder(), asked.length], [124, false, 2]);
});

test('one that was planned long ago stands where it was sent, and the next page is another one', async () => {
  hub.splice(49, 0, item(7)); // its id is older than those of all others
  refresh();
  await fetchOlder();
  assert.deepEqual(ids(), hub.slice(0, 100).map(({ id }) => Number(id)));
  await fetchOlder();
  assert.deepEqual(ids(), hub.map(({ id }) => Number(id)));
  assert.deepEqual(asked, ['/api/v1/bells?before=7', '/api/v1/bells?before=1022']);
});

test('what was pushed off is shown as it was last, and can be marked as seen', async () => {
  await fetchOlder();
  const last = hub[49].id;
  hub[49] = { ...hub[49], state: 'acted' };
  refresh();
  come(item(1_121));
  assert.equal(items().find(({ id }) => id === last).state, 'acted');
  const next = hub[49].id;
  come(item(1_122));
  await markSeen([next]);
  assert.equal(items().find(({ id }) => id === next).state, 'seen');
});

test('one that comes while older ones are fetched loses nothing', async (context) => {
  context.mock.method(globalThis, 'fetch', async (url) => {
    const response = answer(url);
    come(item(1_121));
    return response;
  });
  await fetchOlder();
  assert.deepEqual(ids(), hub.slice(0, 101).map(({ id }) => Number(id)));
});

test('when more than a page has come unseen, older ones are asked for anew, as some are not known', async () => {
  await fetchOlder();
  come(...Array.from({ length: 60 }, (_, index) => item(1_180 - index)));
  assert.deepEqual([ids().length, hasOlder()], [50, true]);
  await fetchOlder();
  assert.deepEqual(ids(), hub.slice(0, 100).map(({ id }) => Number(id)));
});
