// A room's answers: which of several that are under way is shown, and when whoever asked knows that it is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

globalThis.location ??= { origin: 'http://hub.example' };
const { subject } = await page('/live.js');

/** Requests that the test answers, each with what the hub says then. */
function hub(context) {
  const requests = [];
  context.mock.method(globalThis, 'fetch', () => new Promise((resolve) => {
    requests.push((body) => resolve(new Response(JSON.stringify(body))));
  }));
  return requests;
}

const soon = () => new Promise((resolve) => { setTimeout(resolve, 5); });

test('who asks again goes on only with an answer that is as new as the question', async (context) => {
  const requests = hub(context);
  const topics = subject('topics', () => '/topics');
  const steps = [];
  const first = topics.refresh().then((isShown) => steps.push('first', isShown));
  const second = topics.refresh().then((isShown) => steps.push('second', isShown)); // an event came meanwhile
  await soon();
  requests[0](['old']);
  await soon();
  assert.deepEqual(steps, []);
  assert.equal(topics.value(), undefined, 'an older answer is not shown');
  requests[1](['new']);
  await Promise.all([first, second]);
  assert.deepEqual(topics.value(), ['new']);
  assert.deepEqual(steps.filter((step) => step === true), [true, true]);
});

test('who asks while an answer is told by an event need not wait for another', async (context) => {
  const requests = hub(context);
  const topics = subject('topics', () => '/topics');
  const asked = topics.refresh();
  await soon();
  topics.tell(['told']);
  requests[0](['old']);
  assert.equal(await asked, true);
  assert.deepEqual(topics.value(), ['told']);
});
