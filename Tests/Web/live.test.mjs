// A room's answers: which of several that are under way is shown, and when whoever asked knows that it is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

globalThis.location ??= { origin: 'http://hub.example' };
globalThis.addEventListener ??= () => {};
const { line, live, onNews, startLive, subject, tellUsable } = await page('/live.js');
const { now, today } = await page('/place.js');
const { session } = await page('/session.js');

/** Requests that the test answers, each with what the hub says then. */
function hub(context) {
  const requests = [];
  context.mock.method(globalThis, 'fetch', () => new Promise((resolve) => {
    requests.push((body) => resolve(new Response(JSON.stringify(body))));
  }));
  return requests;
}

/** A browser's storage; returns what its database holds. */
function storage(context, inside) {
  const kept = { answers: new Map(), mine: new Map() };
  const done = (result) => {
    const request = { result };
    queueMicrotask(() => request.onsuccess?.());
    return request;
  };
  const objectStore = (name) => ({
    get: (key) => done(kept[name].get(key)),
    put: (value, key) => done(kept[name].set(key, value)),
  });
  globalThis.indexedDB = { open: () => done({ transaction: () => ({ objectStore }) }) };
  globalThis.localStorage = { getItem: () => (inside.isSo ? '' : null) };
  context.after(() => {
    delete globalThis.indexedDB;
    delete globalThis.localStorage;
  });
  return kept;
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

test('what could not be had is requested again while the line is live, what was refused is not', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  let [status, body] = [503, ['new']];
  let asked = 0;
  context.mock.method(globalThis, 'fetch', async () => {
    asked += 1;
    return Response.json(body, { status });
  });
  const told = [];
  const failed = (error) => told.push(error?.status ?? null);
  const topics = subject('topics', () => '/topics', { failed });
  const pass = async (seconds) => {
    context.mock.timers.tick(1000 * seconds);
    for (let n = 0; n < 5; n += 1) await new Promise((resolve) => { setImmediate(resolve); });
  };
  line.set('live');
  context.after(() => line.set('connecting'));
  await topics.refresh();
  await pass(5);
  assert.equal(asked, 2);
  status = 200;
  await pass(10);
  assert.deepEqual([asked, topics.value(), topics.isAnswered(), told], [3, ['new'], true, [503, 503, null]]);
  [status, body] = [404, { code: 40411 }];
  await topics.refresh();
  await pass(60);
  assert.equal(asked, 4);
  body = {}; // of what stands before the hub, and does not know it while it starts
  await topics.refresh();
  await pass(5);
  assert.equal(asked, 6);
  status = 503;
  await topics.refresh();
  line.set('lost');
  await pass(60);
  assert.equal(asked, 7, 'the next connection asks');
});

test('on a device whose clock is wrong, the hub’s clock tells what is now and when an answer came', async (context) => {
  const DAY = 86_400_000;
  const hubAt = Date.now() - 3 * DAY;
  const respond = (date) => context.mock.method(globalThis, 'fetch', async () => new Response('{}', { headers: date }));
  const days = [];
  onNews('day', () => days.push(today.peek()));
  const topics = subject('topics', () => '/topics');
  respond({ Date: new Date(hubAt).toUTCString() });
  const before = today.peek();
  await topics.refresh();
  assert.deepEqual([today.peek() - before, days], [-3, [before - 3]]);
  for (const time of [now.peek(), topics.confirmed.peek()]) assert.ok(Math.abs(time - hubAt) < 5_000);
  topics.confirm(Date.now());
  assert.ok(Math.abs(topics.confirmed.peek() - hubAt) < 5_000);
  respond({ Date: new Date().toUTCString() });
  await topics.refresh();
  assert.equal(today.peek(), before);
});

test('what somebody is told is kept for them alone, and ends with their session', async (context) => {
  const requests = hub(context);
  const inside = { isSo: true };
  const kept = storage(context, inside);
  const mine = subject('mail', () => '/mail', { isMine: true });
  const sign = subject('sign', () => '/state');
  const is = (id) => ({ person: { id, name: id, role: 'member' }, device: { id: '2', name: 'tablet' }, rights: [] });
  session.set(is('ada'));
  await soon();
  mine.tell({ address: 'ada@example.org' });
  sign.tell({ open: true });
  for (const one of [mine, sign]) one.confirm(7);
  await soon();
  assert.deepEqual([...kept.answers], [['sign', { body: { open: true }, at: 7 }]]);
  assert.deepEqual([...kept.mine], [['mail', { body: { address: 'ada@example.org' }, at: 7 }]]);

  kept.mine.clear();
  inside.isSo = false; // another tab has signed out
  mine.confirm(8);
  await soon();
  assert.equal(kept.mine.size, 0);

  const late = mine.refresh();
  session.set(is('ben'));
  await soon();
  assert.deepEqual([mine.value(), mine.isAnswered(), sign.value()], [undefined, false, { open: true }]);
  requests[0]({ address: 'ada@example.org' });
  assert.equal(await late, false);
  assert.equal(mine.value(), undefined, 'an answer that came late');
  const asked = mine.refresh();
  await soon();
  requests[1]({ address: 'ben@example.org' });
  assert.equal(await asked, true);
  assert.equal(mine.value().address, 'ben@example.org');
  session.set(null);
  await soon();
  assert.equal(mine.value(), undefined);
});

test('a page without a live connection asks on, also after its clock was put back', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  let tick;
  context.mock.method(globalThis, 'setInterval', (act) => { tick = act; });
  context.mock.method(live, 'start', () => {});
  context.mock.method(live, 'listen', () => () => {});
  context.mock.method(live, 'check', () => {});
  globalThis.document = { hidden: false };
  context.after(() => { delete globalThis.document; });
  let asked = 0;
  onNews('ask', () => { asked += 1; });
  const pass = (seconds) => { // how often it asks meanwhile
    asked = 0;
    for (let second = 0; second < seconds; second += 10) {
      context.mock.timers.tick(10_000);
      tick();
    }
    return asked;
  };
  startLive();
  live.onstatus('lost');
  assert.deepEqual([pass(70), pass(30)], [1, 0]);
  context.mock.timers.setTime(Date.now() - 3_600_000);
  assert.equal(pass(20), 1);
  // The clock of a machine without a battery is set some seconds after its pages have asked for the time.
  live.onstatus('live');
  assert.equal(pass(3_600), 0);
  for (const hours of [8, -8]) {
    context.mock.timers.setTime(Date.now() + hours * 3_600_000);
    assert.equal(pass(600), 1, `${hours} hours`);
  }
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
