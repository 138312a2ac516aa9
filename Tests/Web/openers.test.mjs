// The openers of events: whoever has changed one sees also what others have changed meanwhile.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

globalThis.location ??= { origin: 'http://hub.example' };
globalThis.navigator ??= { onLine: true }; // Node.js 20 has none
const { openersOf, setWanted } = await page('/programme/openers.js');

test('the answer to a change of one’s own does not throw away a list that is newer', async (context) => {
  const requests = [];
  context.mock.method(globalThis, 'fetch', (url, { method = 'GET' } = {}) => new Promise((resolve) => {
    requests.push({ method, answer: (body) => resolve(new Response(JSON.stringify(body))) });
  }));
  const next = async () => {
    while (!requests.length) await new Promise((resolve) => { setTimeout(resolve); });
    return requests.shift();
  };
  const [mine, other] = ['a', 'b'].map((event) => ({ event, wanted: true, people: [] }));
  const asked = setWanted({ id: 'a' }, true);
  (await next()).answer(mine);
  await asked;
  assert.ok(openersOf({ id: 'a' }).wanted, 'at once');
  const list = await next();
  assert.equal(list.method, 'GET');
  list.answer({ openers: [mine, other] });
  await new Promise((resolve) => { setTimeout(resolve, 5); });
  assert.ok(openersOf({ id: 'b' }).wanted);
});
