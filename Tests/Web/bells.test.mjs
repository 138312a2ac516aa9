// The notification centre without a browser: rows, traces, what a browser needs, words, and the service worker's part.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';
import { page } from './pages.mjs';

const { attachmentKind, contentIn, rowsOf, webAddress } = await page('/bells/inbox.js');
const { duration, firstShown, isOver, outcomeOf } = await page('/bells/trace.js');
const { because, dictionary: whyDictionary } = await page('/bells/why-words.js');
const { bytesOf, isMadeWith, pushObstacle, settingsOf } = await page('/bells/push-plan.js');
const { placeOf, quietParts } = await page('/bells/quiet-plan.js');
const { dictionary } = await page('/bells/words.js');
const { dictionary: pushDictionary } = await page('/bells/push-words.js');
const { dictionary: strangerDictionary } = await page('/bells/stranger-words.js');
const { dictionary: stateDictionary } = await page('/bells/state-words.js');

const sources = new URL('../../Sources/', import.meta.url);
const ORIGIN = 'https://hub.example';

test('rows are days and threads, the newest first', () => {
  const item = (id, at, more = {}) => ({ id, at, topic: null, room: null, content: {}, ...more });
  const rows = rowsOf([
    item('5', '2026-11-21T23:30:00Z', { content: { thread: 'door' } }),
    item('4', '2026-11-21T22:00:00Z', { topic: 'crew' }),
    item('3', '2026-11-21T12:00:00Z', { content: { thread: 'door' } }),
    item('2', '2026-11-21T11:00:00Z', { topic: 'crew' }),
    item('1', '2026-11-21T10:00:00Z'),
  ], 'Europe/Berlin');
  const days = rows.filter(({ day }) => day !== undefined).map(({ day }) => day);
  assert.equal(days.length, 2, 'half past eleven in UTC is tomorrow in Berlin');
  assert.equal(days[0], days[1] + 1);
  assert.deepEqual(rows.filter(({ items }) => items).map(({ thread, items }) => [thread, items.map(({ id }) => id)]), [
    ['door', ['5']], ['crew', ['4', '2']], ['door', ['3']], ['one 1', ['1']],
  ]);
});

test('a content is read in the reader’s language where it has it', () => {
  const content = { title: 'Open', body: 'x', localized: { de: { title: 'Offen' } } };
  assert.equal(contentIn(content, 'de').title, 'Offen');
  assert.equal(contentIn(content, 'de').body, 'x');
  assert.equal(contentIn(content, 'en').title, 'Open');
});

test('only pictures come from elsewhere, and only the web is opened', () => {
  assert.equal(attachmentKind({ url: 'https://other.example/a.png', type: 'image/png' }, ORIGIN), 'image');
  assert.equal(attachmentKind({ url: '/a.mp3', type: 'audio/mpeg' }, ORIGIN), 'audio');
  assert.equal(attachmentKind({ url: 'https://other.example/a.mp3', type: 'audio/mpeg' }, ORIGIN), null);
  assert.equal(attachmentKind({ url: 'javascript:alert(1)', type: 'image/png' }, ORIGIN), null);
  assert.equal(attachmentKind({ id: 'x' }, ORIGIN), null);
  assert.equal(webAddress('/programme/7', ORIGIN), '/programme/7');
  assert.equal(webAddress('https://other.example/x', ORIGIN), 'https://other.example/x');
  for (const bad of ['javascript:alert(1)', 'data:text/html,x', 'http://[']) {
    assert.equal(webAddress(bad, ORIGIN), null);
  }
});

const device = (...whats) => ({
  pending: false, events: whats.map((what, index) => ({ what, at: `2026-11-21T12:00:0${index}.400Z`, version: 1 })),
});

test('a device rang, has it, waits, or did not ring', () => {
  assert.equal(outcomeOf(device('queued', 'sent', 'delivered', 'shown', 'withdrawn')), 'rang');
  assert.equal(outcomeOf(device('queued', 'delivered')), 'came');
  assert.equal(outcomeOf(device('queued', 'sent')), 'sent');
  assert.equal(outcomeOf(device('queued')), 'waits');
  assert.equal(outcomeOf(device('queued'), 'withdrawn'), 'away');
  assert.equal(outcomeOf(device('queued', 'withdrawn')), 'away');
  assert.equal(outcomeOf(device('queued', 'suppressed')), 'not');
  assert.equal(outcomeOf({ ...device('queued', 'suppressed'), pending: true }), 'waits');
  for (const end of ['expired', 'gone', 'failed']) assert.ok(isOver(device('queued', 'sent', end)));
  assert.equal(firstShown({ at: '2026-11-21T12:00:00.000Z', devices: [device('queued', 'shown'), device()] }), 1400);
  assert.equal(firstShown({ at: '2026-11-21T12:00:00.000Z', devices: [device('queued')] }), undefined);
  assert.deepEqual([420, 12_300, 180_000, 7_200_000].map((ms) => duration(ms, 'en-GB').replace('\u00a0', ' ')),
    ['0.4 s', '12 s', '3 min', '2 h']);
});

test('every reason of a trace has words in both languages', () => {
  const swift = readFileSync(new URL('Push/Delivery/DeliveryReason.swift', sources), 'utf8');
  const codes = [...swift.matchAll(/^  case (\w+)(?: = "(\w+)")?$/gm)].map(([, name, code]) => code ?? name).sort();
  assert.ok(codes.length > 10);
  for (const words of Object.values(whyDictionary)) assert.deepEqual(Object.keys(words.reasons).sort(), codes);
  const quiet = { code: 'quiet_hours', detail: '07:00', reason: 'quiet hours until 07:00' };
  assert.equal(because(quiet, whyDictionary.de), 'Ruhezeit bis 07:00');
  assert.equal(because({ code: 'newer', reason: 'in words of the hub' }, whyDictionary.de), 'in words of the hub');
  assert.equal(because({}, whyDictionary.de), '');
});

test('the room says the same in German and English', () => {
  const shape = (value) => (typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shape(inner)])) : typeof value);
  for (const one of [dictionary, stateDictionary, whyDictionary, pushDictionary, strangerDictionary]) {
    assert.deepEqual(shape(one.de), shape(one.en));
  }
});

test('what a browser needs to be rung', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
  const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 '
    + 'Version/18.0 Mobile Safari/604.1';
  const all = {
    location: new URL(ORIGIN), userAgent: chrome, isStandalone: false, canPrompt: false, hasWorker: true, hasPush: true,
    hasNotification: true, permission: 'default',
  };
  assert.equal(pushObstacle(all), null);
  assert.equal(pushObstacle({ ...all, permission: 'denied' }), 'blocked');
  assert.equal(pushObstacle({ ...all, location: new URL('http://hub.example') }), 'insecure');
  assert.equal(pushObstacle({ ...all, hasPush: false }), 'unsupported');
  assert.equal(pushObstacle({ ...all, userAgent: iphone, hasPush: false, hasNotification: false }), 'iphone');
  assert.equal(pushObstacle({ ...all, userAgent: iphone, isStandalone: true }), null);
  assert.equal(settingsOf(iphone), 'iphone');
  assert.equal(settingsOf(chrome), 'chromium');
  assert.equal(settingsOf('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'), 'firefox');
  const key = Buffer.from([4, 251, 255, 1]).toString('base64url');
  assert.deepEqual([...bytesOf(key)], [4, 251, 255, 1]);
  assert.ok(isMadeWith(new Uint8Array([4, 251, 255, 1]).buffer, key));
  assert.ok(!isMadeWith(new Uint8Array([4, 251, 255, 2]).buffer, key) && !isMadeWith(null, key));
});

test('quiet hours are drawn on a day that begins at noon', () => {
  assert.deepEqual([placeOf('12:00'), placeOf('00:00'), placeOf('06:00')], [0, 0.5, 0.75]);
  assert.deepEqual(quietParts({ from: '00:00', to: '06:00' }), [[0.5, 0.75]]);
  assert.deepEqual(quietParts({ from: '06:00', to: '18:00' }), [[0, 0.25], [0.75, 1]]);
});

/** The service worker's part in a world of its own: push, press and close, and what came of them. */
function worker({ answers = {}, userAgent = 'Chrome/140 AppleWebKit/537', languages = ['en'], maxActions = 2 } = {}) {
  const it = { screen: [], sent: [], opened: [], listeners: {}, badge: null };
  const close = (one) => { it.screen = it.screen.filter((other) => other !== one); };
  const self = {
    navigator: { userAgent, languages, setAppBadge: async (count) => { it.badge = count; } },
    location: { origin: ORIGIN }, Notification: { maxActions },
    registration: {
      getNotifications: async () => [...it.screen],
      showNotification: async (title, options) => {
        it.screen = it.screen.filter(({ tag }) => tag !== options.tag);
        const one = { title, ...options, close: () => close(one) };
        it.screen.push(one);
      },
    },
    clients: { matchAll: async () => [], openWindow: async (url) => it.opened.push(url) },
    addEventListener: (name, act) => { it.listeners[name] = act; },
  };
  const fetch = async (url, { body, credentials } = {}) => {
    const said = JSON.parse(body);
    it.sent.push({ url, credentials, ...said });
    const answer = answers[said.what] ?? {};
    if (answer === 'no network') throw new TypeError('fetch failed');
    return { ok: true, status: 200, json: async () => answer };
  };
  const text = readFileSync(new URL('Apps/Bells/Web/worker.js', sources), 'utf8');
  const setTimeout = (act) => queueMicrotask(act);
  vm.runInNewContext(text, { self, fetch, URL, AbortSignal, setTimeout, Uint8Array, Intl, Math, Date, String, Number });
  const run = async (name, event) => {
    const waits = [];
    it.listeners[name]({ ...event, waitUntil: (one) => waits.push(one) });
    await Promise.all(waits);
  };
  it.push = (message) => run('push', { data: { json: () => message } });
  it.press = (notification, action = '') => run('notificationclick', { notification, action });
  it.close = (notification) => run('notificationclose', { notification });
  return it;
}

const actions = [{ id: 'open', title: 'I open' }, { id: 'no', title: 'Not today' },
  { id: 'say', title: 'Say', text_input: { button: 'Send' } }];
const message = (more = {}, content = {}) => ({
  v: 1, id: '12', version: 1, receipt: 'r', content: { title: 'Open', body: 'Ada', ...content }, ...more,
});

test('a push is shown, and the hub is told without a cookie', async () => {
  const it = worker();
  await it.push(message({}, { badge: 3, vibration: [100, 50] }));
  assert.equal(it.screen.length, 1);
  assert.deepEqual([it.screen[0].title, it.screen[0].body, it.screen[0].vibrate], ['Open', 'Ada', [100, 50]]);
  assert.equal(it.badge, 3);
  assert.deepEqual(it.sent.map(({ url, what, receipt, credentials }) => [url, what, receipt, credentials]),
    [['/api/v1/bells/receipts', 'shown', 'r', 'omit']]);
});

test('the reader’s language is used where the sender gave it', async () => {
  const it = worker({ languages: ['de-AT'] });
  await it.push(message({}, { localized: { de: { title: 'Offen' } } }));
  assert.equal(it.screen[0].title, 'Offen');
});

test('a newer version changes what is shown without a sound, an older one nothing', async () => {
  const it = worker();
  await it.push(message());
  await it.push(message({ version: 2 }, { body: 'until 23:00' }));
  assert.deepEqual(it.screen.map(({ body, silent, renotify }) => [body, silent, renotify]),
    [['until 23:00', true, false]]);
  await it.push(message());
  assert.equal(it.screen[0].body, 'until 23:00');
});

test('one with the same collapse_id takes the place, and rings', async () => {
  const it = worker();
  await it.push(message({ collapse_id: 'sign' }));
  await it.push(message({ id: '13', collapse_id: 'sign' }, { title: 'Closed' }));
  assert.deepEqual(it.screen.map(({ title, renotify, silent }) => [title, renotify, silent]),
    [['Closed', true, false]]);
});

test('what is taken back disappears; with Apple something quiet stays', async () => {
  const it = worker();
  await it.push(message());
  await it.push({ v: 1, id: '12', version: 2, withdraw: true, receipt: 'r' });
  assert.equal(it.screen.length, 0);
  assert.deepEqual([it.sent.at(-1).what, it.sent.at(-1).version], ['withdrawn', 2]);
  const apple = worker({ userAgent: 'Mozilla/5.0 (iPhone) AppleWebKit/605 Version/18 Safari/604' });
  await apple.push(message());
  await apple.push({ v: 1, id: '12', version: 2, withdraw: true, receipt: 'r' });
  assert.deepEqual(apple.screen.map(({ title, silent }) => [title, silent]), [['Done: Open', true]]);
});

test('one that was answered while it came is taken from the screen', async () => {
  const it = worker({ answers: { shown: { action: 'me' } } });
  await it.push(message());
  assert.equal(it.screen.length, 0);
});

test('as many buttons as there is room for; with more, a tap leads to the list', async () => {
  const it = worker();
  await it.push(message({}, { actions, url: '/programme' }));
  assert.deepEqual(it.screen[0].actions.map(({ action }) => action), ['open', 'no']);
  await it.press(it.screen[0]);
  assert.deepEqual(it.opened, [`${ORIGIN}/bells#12`]);
  assert.deepEqual(it.sent.at(-1).action, 'default');
  const few = worker();
  await few.push(message({}, { actions: actions.slice(0, 1), url: '/programme' }));
  await few.press(few.screen[0]);
  assert.deepEqual(few.opened, [`${ORIGIN}/programme`]);
});

test('a pressed button is an answer; one that needs text or a finger leads to the page', async () => {
  const it = worker({ maxActions: 3 });
  await it.push(message({}, { actions }));
  await it.press(it.screen[0], 'no');
  assert.deepEqual(it.sent.slice(1).map(({ what, action, id, version }) => [what, action, id, version]),
    [['acted', 'no', '12', 1]]);
  assert.deepEqual([it.opened, it.screen], [[], []]);
  await it.push(message({ id: '13' }, { actions }));
  await it.press(it.screen[0], 'say');
  assert.deepEqual(it.opened, [`${ORIGIN}/bells#13`]);
  assert.ok(!it.sent.some(({ action }) => action === 'say'), 'the page gives it');
});

test('an answer that does not arrive says so', async () => {
  const it = worker({ answers: { acted: 'no network' } });
  await it.push(message({}, { actions }));
  await it.press(it.screen[0], 'open');
  assert.equal(it.sent.filter(({ what }) => what === 'acted').length, 3);
  assert.deepEqual(it.screen.map(({ title }) => title), ['Your answer has not arrived']);
  await it.press(it.screen[0]);
  assert.deepEqual(it.opened, [`${ORIGIN}/bells#12`]);
});

test('a dismissal is told', async () => {
  const it = worker();
  await it.push(message());
  await it.close(it.screen[0]);
  assert.equal(it.sent.at(-1).what, 'dismissed');
});

test('addresses of other kinds are never opened', async () => {
  const it = worker();
  await it.push(message({}, { url: 'javascript:alert(1)' }));
  await it.press(it.screen[0]);
  assert.deepEqual(it.opened, [`${ORIGIN}/bells#12`]);
});
