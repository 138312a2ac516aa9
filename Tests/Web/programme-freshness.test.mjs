// The age of the programme at the foot of its page: that it is this device's copy is said until the hub has answered.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

globalThis.location ??= { origin: 'http://hub.example' };
const { addedFacts } = await page('/facts.js');
const { line } = await page('/live.js');
const { programmeConfirmed, startNear, wholeProgramme } = await page('/programme/model.js');
await page('/programme/freshness.js');

const [fact] = addedFacts();
const isCopy = () => fact.text().includes('this device’s copy');
const body = { events: [], sources: [] };

test('a connection alone does not make a copy new: the programme has to be fetched', async (context) => {
  let answer;
  context.mock.method(globalThis, 'fetch', () => new Promise((resolve) => {
    answer = (status) => resolve(new Response(JSON.stringify(body), { status }));
  }));
  const soon = () => new Promise((resolve) => { setTimeout(resolve, 5); });
  wholeProgramme.set(body); // as it was remembered
  programmeConfirmed.set(Date.now() - 86_400_000);
  assert.ok(isCopy(), 'without a connection');
  line.set('live');
  await startNear(() => false);
  await soon();
  assert.ok(isCopy(), 'the request is under way');
  answer(503);
  await soon();
  assert.ok(isCopy(), 'the request has failed');
  await startNear(() => false);
  await soon();
  answer(200);
  await soon();
  assert.ok(!isCopy());
  line.set('lost');
  assert.ok(isCopy());
});
