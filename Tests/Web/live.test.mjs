// A room's answers: which of several that are under way is shown, and when whoever asked knows that it is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

globalThis.location ??= { origin: 'http://hub.example' };
globalThis.addEventListener ??= () => {};
const { live, startLive, subject, tellUsable } = await page('/live.js');
const { session } = await page('/session.js');

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

test('the role of whoever is signed in is followed, also over a lost connection and a refusal', async (context) => {
  const requests = hub(context);
  const listening = [];
  context.mock.method(globalThis, 'setInterval', () => {});
  context.mock.method(live, 'start', () => {});
  context.mock.method(live, 'listen', (channel, listener) => {
    if (channel === 'private-person-1') listening.push(listener);
    return () => {};
  });
  const is = (role) => ({ person: { id: '1', name: 'Ada', role }, device: { id: '2', name: 'phone' }, rights: [] });
  const asked = async () => { // once since the last time
    await soon();
    return requests.splice(0).length === 1;
  };
  startLive();
  tellUsable();
  session.set(is('keykeeper'));
  await soon();
  const [first] = listening;
  first.onlive();
  assert.equal(await asked(), false, 'the page knows its session already');
  first.onevent('person');
  assert.ok(await asked());
  first.onlive();
  assert.ok(await asked(), 'it may have changed meanwhile');
  first.onrefused();
  assert.ok(await asked());
  live.onstatus('live');
  await soon();
  assert.equal(listening.length, 2, 'the next connection tries it again');
  session.set(null);
});
