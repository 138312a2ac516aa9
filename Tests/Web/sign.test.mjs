// How certain the sign is: a connection to the hub alone does not make it current, only an answer does.

import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import { page } from './pages.mjs';

mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: Date.UTC(2026, 10, 20, 18) });
mock.method(performance, 'now', () => 60_000); // the page was opened a while ago
globalThis.location = { origin: 'http://hub.example' };
globalThis.addEventListener = () => {};
globalThis.document = Object.assign(new EventTarget(), { hidden: false, documentElement: { dataset: {} } });

const sockets = [];
globalThis.WebSocket = class {
  constructor() {
    sockets.push(this);
    queueMicrotask(() => {
      if (isBlocked) this.onclose({ code: 1006 });
      else this.hear('pusher:connection_established', { socket_id: '1.2', activity_timeout: 120 });
    });
  }

  send(text) {
    const { event, data } = JSON.parse(text);
    const [answer, channel] = event === 'pusher:ping' ? ['pusher:pong']
      : ['pusher_internal:subscription_succeeded', data.channel];
    queueMicrotask(() => this.hear(answer, {}, channel));
  }

  close() {}

  hear(event, data, channel) { this.onmessage({ data: JSON.stringify({ event, data, channel }) }); }
};

const STATE = '/api/v1/space/state';
let isBlocked = false; // no WebSocket is passed on
let isBroken = false; // requests fail
let asked = 0; // requests for the sign
let isOpen = true;
let opens; // when it opens next
mock.method(globalThis, 'fetch', async (url) => {
  if (url === STATE) asked += 1;
  if (isBroken) throw new TypeError('fetch failed');
  return Response.json(url === STATE ? { open: isOpen, opens } : {});
});

const { line, startLive } = await page('/live.js');
const { current, sign, signConfirmed, spaceLine, start } = await page('/space/model.js');

const settled = async () => {
  for (let n = 0; n < 5; n += 1) await new Promise((resolve) => { setImmediate(resolve); });
};
const pass = async (seconds) => {
  for (let n = 0; n < seconds; n += 1) {
    mock.timers.tick(1000);
    await settled();
  }
};
const lose = async () => {
  sockets.at(-1).onclose({ code: 1006 });
  await settled();
};

after(() => mock.timers.reset());

test('where HTTP is passed on and no WebSocket, the sign is asked for, and the hub is not called lost', async () => {
  isBlocked = true;
  await start();
  startLive();
  await settled();
  assert.deepEqual([line(), spaceLine(), sign().open], ['lost', 'asked', true], 'at once');
  isOpen = false;
  await pass(70);
  assert.deepEqual([spaceLine(), sign().open], ['asked', false]);
  isBroken = true;
  await pass(70);
  assert.equal(spaceLine(), 'lost');
  isBlocked = isBroken = false;
  isOpen = true;
  await pass(60);
  assert.deepEqual([spaceLine(), current()], ['live', true]);
});

test('a sign that cannot be fetched after a reconnection is the last known one, and is requested again', async () => {
  assert.deepEqual([line(), current(), sign().open], ['live', true, true]);

  await lose();
  assert.deepEqual([line(), current()], ['lost', false]);
  const lostAt = signConfirmed();
  isBroken = true;
  isOpen = false;
  asked = 0;
  await pass(1);
  assert.deepEqual([line(), current(), asked], ['live', false, 1], 'connected, but the sign is not known');

  // 5, 10, 20, 40 and then every 60 seconds later.
  for (const [seconds, count] of [[4, 1], [1, 2], [9, 2], [1, 3], [20, 4], [40, 5], [59, 5], [1, 6], [60, 7]]) {
    await pass(seconds);
    assert.deepEqual([current(), asked], [false, count]);
  }
  await lose();
  assert.equal(signConfirmed(), lostAt, 'a connection without an answer confirms nothing');
  await pass(60);
  assert.deepEqual([line(), current(), asked], ['live', false, 8], 'one request by the new connection');

  isBroken = false;
  await pass(60);
  assert.deepEqual([current(), sign().open, asked], [true, false, 9]);
  await pass(300);
  assert.equal(asked, 9);
});

test('after a reconnection an event that tells the sign makes it current, too', async () => {
  await lose();
  isBroken = true;
  await pass(1);
  assert.deepEqual([line(), current()], ['live', false]);
  sockets.at(-1).hear('state', { open: true }, 'space');
  assert.deepEqual([current(), sign().open], [true, true]);
  // Something has changed, and it cannot be fetched what.
  sockets.at(-1).hear('state', {}, 'space');
  await settled();
  assert.equal(current(), false);
  isBroken = false;
  await pass(60);
  assert.deepEqual([current(), sign().open], [true, false]);
});

test('once the time has passed at which a closed space was to open, the next one is asked for', async () => {
  const inMinutes = (minutes) => new Date(Date.now() + minutes * 60_000).toISOString();
  [isOpen, opens] = [false, inMinutes(5)];
  await lose();
  await pass(60);
  assert.deepEqual([line(), sign().opens], ['live', opens]);
  asked = 0;
  await pass(290);
  assert.equal(asked, 0, 'the hub\'s clock may be behind: it would name the same time again');
  opens = inMinutes(1440);
  await pass(70);
  assert.deepEqual([asked, sign().opens], [1, opens]);
});
