// The receiver of the anchor's page on a battery: looks once in a while, also after one that failed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const { Receiver } = await page('/anchor/receiver.js');

/** A receiver whose fixes come when the test says so; what it was asked, and what it told. */
function device(context, pace) {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const [told, looks, followed] = [[], [], []];
  const receiver = new Receiver((fix) => {
    told.push(fix);
    receiver.pace(pace());
  }, ({ code }) => {
    told.push(code);
    if (code === 1) receiver.stop();
  }, {
    getCurrentPosition: (seen, failed) => looks.push({ seen, failed }),
    watchPosition: (seen, failed) => followed.push({ seen, failed }),
    clearWatch: (id) => { followed[id - 1].isOver = true; },
  });
  return { receiver, told, looks, followed, pass: (seconds) => context.mock.timers.tick(seconds * 1000) };
}

test('one look that fails at night does not end the looking: the receiver is followed until it is well', (context) => {
  const { receiver, told, looks, followed, pass } = device(context, () => 40);
  receiver.pace(40);
  pass(39);
  assert.deepEqual([looks.length, followed.length], [0, 0]);
  pass(1);
  looks[0].failed({ code: 3 });
  assert.ok(receiver.isFollowed);
  followed[0].failed({ code: 3 });
  assert.deepEqual([told, followed.length], [[3, 3], 1], 'it goes on by itself');
  followed[0].seen('fix');
  assert.deepEqual([receiver.isFollowed, followed[0].isOver], [false, true]);
  pass(40);
  assert.equal(looks.length, 2);
});

test('who watches no longer, or may not, is asked no more, and a late fix counts no more', (context) => {
  const { receiver, told, looks, followed, pass } = device(context, () => 40);
  receiver.pace(40);
  pass(40);
  looks[0].failed({ code: 1 });
  receiver.pace(40);
  pass(40);
  receiver.stop();
  looks[1].seen('late');
  looks[1].failed({ code: 3 });
  assert.deepEqual([told, followed.length, receiver.isFollowed], [[1], 0, false]);
});

test('one that is asked all the time is followed once, and a look between ends nothing', (context) => {
  const { receiver, looks, followed } = device(context, () => 1);
  receiver.pace(1);
  receiver.pace(1);
  receiver.ask();
  looks[0].failed({ code: 2 });
  assert.deepEqual([followed.length, receiver.isFollowed], [1, true]);
});

test('a page that watches reports on after its clock was put back', async (context) => {
  const { localStorage, document, location, addEventListener } = globalThis;
  Object.assign(globalThis, {
    localStorage: { getItem: () => '1', setItem() {}, removeItem() {} }, location: { origin: 'http://hub.example' },
    document: { addEventListener() {}, hidden: false, documentElement: { dataset: {} } }, addEventListener() {},
    isSecureContext: true,
  });
  globalThis.navigator ??= {}; // Node.js 18 has none
  context.after(() => Object.assign(globalThis, { localStorage, document, location, addEventListener }));
  context.mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.now() });
  let look;
  context.mock.method(globalThis, 'setInterval', (act) => { look = act; });
  let reports = 0;
  context.mock.method(globalThis, 'fetch', (url) => {
    if (!url.endsWith('/positions')) return new Promise(() => {}); // the rules are not built here
    reports += 1;
    return Promise.resolve(Response.json({}));
  });
  const { startWatching } = await page('/anchor/watching.js');
  const { sound } = await page('/anchor/sound.js');
  context.mock.method(sound, 'allow', () => {});
  const { session } = await page('/session.js');
  session.set({ person: { id: '1', name: 'Ada' } });
  const pass = async (seconds) => {
    reports = 0;
    for (let second = 0; second < seconds; second += 1) {
      context.mock.timers.tick(1_000);
      look();
      await new Promise(setImmediate);
    }
    return reports;
  };
  startWatching();
  await pass(60);
  context.mock.timers.setTime(Date.now() - 3_600_000);
  assert.ok(await pass(60) >= 4, `${reports} in a minute`);
  session.set(null);
});
