import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Clock } from './clock.mjs';
import { page } from './pages.mjs';

const { LIMITS, Live, retryDelay } = await page('/realtime.js');

class Socket {
  sent = [];
  closed = false;

  send(text) { this.sent.push(JSON.parse(text)); }

  close() { this.closed = true; }

  hear(event, data, channel) { this.onmessage({ data: JSON.stringify({ event, data, ...(channel && { channel }) }) }); }

  end(code) { this.onclose({ code }); }

  get events() { return this.sent.map(({ event }) => event); }
}

function world({ random = () => 1 } = {}) {
  const clock = new Clock();
  const sockets = [];
  const statuses = [];
  const events = [];
  const live = new Live({
    url: 'ws://hub/app/eightbells', channel: 'space', clock, random,
    open: () => { sockets.push(new Socket()); return sockets.at(-1); },
    onstatus: (status) => statuses.push(status),
    onevent: (name, data) => events.push([name, data]),
  });
  const answer = (seconds = 120) => {
    const welcome = JSON.stringify({ socket_id: '1.2', activity_timeout: seconds });
    sockets.at(-1).hear('pusher:connection_established', welcome);
    sockets.at(-1).hear('pusher_internal:subscription_succeeded', '{}', 'space');
  };
  const nextAttempt = () => {
    const before = sockets.length;
    for (let n = 0; n <= LIMITS.lastRetry && sockets.length === before; n += 100) clock.pass(100);
    assert.equal(sockets.length, before + 1, 'no attempt within the longest backoff');
  };
  return { clock, sockets, statuses, events, live, answer, nextAttempt, get socket() { return sockets.at(-1); } };
}

test('connects, subscribes, and passes on the events of its channel', () => {
  const it = world();
  it.live.start();
  it.answer();
  assert.deepEqual(it.socket.sent, [{ event: 'pusher:subscribe', data: { channel: 'space' } }]);
  it.socket.hear('state', '{"open":true}', 'space');
  it.socket.hear('state', '{"open":false}', 'another');
  it.socket.onmessage({ data: 'not JSON' });
  assert.deepEqual(it.events, [['state', { open: true }]]);
  assert.deepEqual(it.statuses, ['connecting', 'live']);
});

test('answers a ping', () => {
  const it = world();
  it.live.start();
  it.answer();
  it.socket.hear('pusher:ping', '{}');
  assert.equal(it.socket.events.at(-1), 'pusher:pong');
});

test('silence is asked about, and no answer within the limit means lost', () => {
  const it = world();
  it.live.start();
  it.answer(20);
  it.clock.pass(19_999);
  assert.deepEqual(it.socket.events, ['pusher:subscribe']);
  it.clock.pass(1);
  assert.equal(it.socket.events.at(-1), 'pusher:ping');
  it.clock.pass(LIMITS.pong - 1);
  assert.equal(it.live.status, 'live');
  it.clock.pass(1);
  assert.equal(it.live.status, 'lost');
  assert.ok(it.sockets[0].closed);
});

test('a hub that is content with a long silence is asked sooner all the same', () => {
  const it = world();
  it.live.start();
  it.answer(120);
  it.clock.pass(LIMITS.activity);
  assert.equal(it.socket.events.at(-1), 'pusher:ping');
});

test('any message counts as a sign of life', () => {
  const it = world();
  it.live.start();
  it.answer(20);
  it.clock.pass(19_000);
  it.socket.hear('programme', '{}', 'space');
  it.clock.pass(19_000);
  assert.deepEqual(it.socket.events, ['pusher:subscribe']);
  it.clock.pass(1_000);
  it.socket.hear('pusher:pong', '{}');
  it.clock.pass(LIMITS.pong + 1_000);
  assert.equal(it.live.status, 'live');
});

test('the hub may ask for a shorter silence, never for a longer one', () => {
  const it = world();
  it.live.start();
  it.answer(100_000);
  it.clock.pass(LIMITS.activity);
  assert.equal(it.socket.events.at(-1), 'pusher:ping');
});

test('a check asks at once and waits only shortly', () => {
  const it = world();
  it.live.start();
  it.answer();
  it.live.check();
  assert.equal(it.socket.events.at(-1), 'pusher:ping');
  it.clock.pass(LIMITS.check);
  assert.equal(it.live.status, 'lost');
});

test('a check while waiting for the next attempt tries at once, and not twice', () => {
  const it = world();
  it.live.start();
  for (let n = 0; n < 8; n += 1) {
    it.socket.end(1006);
    it.nextAttempt();
  }
  it.socket.end(1006);
  const attempts = it.sockets.length;
  it.live.check();
  it.live.check();
  assert.equal(it.sockets.length, attempts + 1);
});

test('comes back after a loss, and says each change once', () => {
  const it = world();
  it.live.start();
  it.answer();
  it.socket.end(1006);
  for (let n = 0; n < 3; n += 1) {
    it.nextAttempt();
    it.socket.end(1006);
  }
  it.nextAttempt();
  it.answer();
  assert.deepEqual(it.statuses, ['connecting', 'live', 'lost', 'live']);
});

test('a socket that never answers is given up', () => {
  const it = world();
  it.live.start();
  it.clock.pass(LIMITS.connect);
  assert.equal(it.live.status, 'lost');
  it.nextAttempt();
  assert.ok(it.sockets[0].closed);
});

test('what an abandoned socket still says is not heard', () => {
  const it = world();
  it.live.start();
  it.answer();
  it.live.check();
  it.clock.pass(LIMITS.check);
  it.sockets[0].hear('state', '{"open":true}', 'space');
  it.sockets[0].end(1006);
  assert.deepEqual(it.events, []);
  it.clock.pass(LIMITS.firstRetry);
  assert.equal(it.sockets.length, 2);
});

test('4000 to 4099: does not come back by itself', () => {
  const it = world();
  it.live.start();
  it.answer();
  it.socket.end(4001);
  it.clock.pass(3_600_000);
  it.live.check();
  assert.equal(it.sockets.length, 1);
  assert.equal(it.live.status, 'refused');
});

test('4100 to 4199: waits a second at least', () => {
  const it = world({ random: () => 0 });
  it.live.start();
  it.answer();
  it.socket.end(4100);
  it.clock.pass(999);
  assert.equal(it.sockets.length, 1);
  it.clock.pass(1);
  assert.equal(it.sockets.length, 2);
});

test('4200 to 4299: comes back at once, but does not hammer a hub that repeats it', () => {
  const it = world();
  it.live.start();
  it.answer();
  it.clock.pass(LIMITS.steady);
  it.socket.end(4200);
  it.clock.pass(0);
  assert.equal(it.sockets.length, 2);
  it.answer();
  it.socket.end(4200);
  it.clock.pass(0);
  assert.equal(it.sockets.length, 2);
  it.clock.pass(2 * LIMITS.firstRetry);
  assert.equal(it.sockets.length, 3);
});

test('the backoff doubles up to its limit, with jitter, and starts anew after a steady line', () => {
  const delays = [0, 1, 2, 3, 4, 5, 6, 30].map((failures) => retryDelay(1006, failures, () => 1));
  assert.deepEqual(delays, [1, 2, 4, 8, 16, 30, 30, 30].map((s) => s * 1000));
  assert.equal(retryDelay(1006, 3, () => 0), 4_000);

  const it = world();
  it.live.start();
  for (let n = 0; n < 5; n += 1) {
    it.socket.end(1006);
    it.nextAttempt();
  }
  it.answer();
  it.clock.pass(LIMITS.steady);
  it.socket.end(1006);
  const attempts = it.sockets.length;
  it.clock.pass(LIMITS.firstRetry);
  assert.equal(it.sockets.length, attempts + 1);
});

test('a browser that refuses to open a socket at all is tried again', () => {
  const clock = new Clock();
  let tries = 0;
  const open = () => { tries += 1; throw new Error('no'); };
  const live = new Live({ url: 'ws://hub', channel: 'space', clock, open });
  live.start();
  clock.pass(LIMITS.firstRetry);
  assert.equal(tries, 2);
  assert.equal(live.status, 'lost');
});

test('stop hangs up, and nothing follows', () => {
  const it = world();
  it.live.start();
  it.answer();
  it.live.stop();
  it.clock.pass(3_600_000);
  assert.ok(it.sockets[0].closed);
  assert.equal(it.sockets.length, 1);
});

test('another channel is listened to over the same line, again after each reconnect', () => {
  const it = world();
  const heard = [];
  let live = 0;
  const stop = it.live.listen('news', {
    onevent: (name, data) => heard.push([name, data]), onlive: () => { live += 1; },
  });
  it.live.start();
  it.answer();
  assert.deepEqual(it.socket.sent.map(({ data }) => data.channel), ['space', 'news']);
  it.socket.hear('pusher_internal:subscription_succeeded', '{}', 'news');
  it.socket.hear('ring', '1', 'news');
  it.socket.end(1006);
  it.nextAttempt();
  it.answer();
  it.socket.hear('pusher_internal:subscription_succeeded', '{}', 'news');
  assert.deepEqual([heard, live], [[['ring', 1]], 2]);
  stop();
  assert.equal(it.socket.events.at(-1), 'pusher:unsubscribe');
  it.socket.hear('ring', '2', 'news');
  assert.equal(heard.length, 1);
  assert.deepEqual(it.events, []);
});

const soon = () => new Promise((resolve) => { setTimeout(resolve); });

test('a private channel is subscribed to with the signature for this very socket', async () => {
  const it = world();
  const asked = [];
  it.live.sign = async (...words) => { asked.push(words); return 'key:0f'; };
  it.live.start();
  it.answer();
  it.live.listen('private-members');
  await soon();
  assert.deepEqual(asked, [['1.2', 'private-members']]);
  assert.deepEqual(it.socket.sent.at(-1).data, { channel: 'private-members', auth: 'key:0f' });
});

test('who gets no signature is told, and so is who loses the right', async () => {
  const it = world();
  let refusals = 0;
  const onrefused = () => { refusals += 1; };
  it.live.sign = async () => { throw Object.assign(new Error(), { status: 403 }); };
  it.live.start();
  it.answer();
  it.live.listen('private-members', { onrefused });
  await soon();
  assert.equal(refusals, 1);
  it.live.sign = async () => 'key:0f';
  it.live.listen('private-members', { onrefused });
  await soon();
  it.socket.hear('pusher:subscription_error', '{"type":"AuthError"}', 'private-members');
  assert.equal(refusals, 2);
  assert.equal(it.live.status, 'live');
});

test('a network that fails is no refusal: the next line asks again', async () => {
  const it = world();
  let tries = 0;
  it.live.sign = async () => { tries += 1; throw new TypeError('network'); };
  it.live.start();
  it.answer();
  it.live.listen('private-members', { onrefused: () => assert.fail('nobody said no') });
  await soon();
  it.socket.end(1006);
  it.nextAttempt();
  it.answer();
  await soon();
  assert.equal(tries, 2);
});

for (const [name, failure] of Object.entries({
  'a busy hub': Object.assign(new Error(), { status: 503 }),
  'one that is asked too often': Object.assign(new Error(), { status: 429 }),
  'a network that fails': new TypeError('network'),
})) {
  test(`${name} is asked again over the same line`, async () => {
    const it = world();
    let tries = 0;
    it.live.sign = async () => {
      tries += 1;
      if (tries < 3) throw failure;
      return 'key:0f';
    };
    it.live.start();
    it.answer();
    it.live.listen('private-members', { onrefused: () => assert.fail('nobody said no') });
    await soon();
    it.clock.pass(LIMITS.firstRetry);
    await soon();
    assert.deepEqual([tries, it.socket.events], [2, ['pusher:subscribe']]);
    it.clock.pass(2 * LIMITS.firstRetry);
    await soon();
    assert.deepEqual(it.socket.sent.at(-1).data, { channel: 'private-members', auth: 'key:0f' });
    assert.deepEqual([tries, it.sockets.length], [3, 1]);
  });
}

test('nobody asks again for a channel that is listened to no more, or over a line that has ended', async () => {
  const it = world();
  let tries = 0;
  it.live.sign = async () => { tries += 1; throw Object.assign(new Error(), { status: 503 }); };
  it.live.start();
  it.answer();
  const stop = it.live.listen('private-members');
  await soon();
  stop();
  it.clock.pass(LIMITS.firstRetry);
  assert.equal(tries, 1);
  it.live.listen('private-members');
  await soon();
  it.live.stop();
  it.clock.pass(LIMITS.lastRetry);
  assert.equal(tries, 2);
});
