// This browser's subscription, with a push service, a permission and a hub of the test's own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const stored = new Map();
const define = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
let mine = null; // the browser's subscription
let made = 0;
const subscriptionOf = (endpoint) => ({
  endpoint, options: { applicationServerKey: new Uint8Array([1]).buffer },
  toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }),
  unsubscribe: async () => { mine = null; },
});
const registration = {
  active: { postMessage: () => {} },
  pushManager: {
    getSubscription: async () => mine,
    subscribe: async () => {
      made += 1;
      mine = subscriptionOf(`https://push.example/new${made}`);
      return mine;
    },
  },
};
const later = setTimeout;
define('setTimeout', (...all) => later(...all).unref()); // the wait for a service worker does not hold up the tests
define('navigator', {
  onLine: true, userAgent: 'Chrome/140', maxTouchPoints: 0,
  serviceWorker: { ready: Promise.resolve(registration), getRegistration: async () => registration },
});
define('location', { origin: 'https://hub.example', protocol: 'https:', hostname: 'hub.example' });
define('document', { hidden: false, querySelector: () => null });
define('addEventListener', () => {});
define('matchMedia', () => ({ matches: false }));
define('window', { PushManager: {}, Notification: {} });
define('Notification', { permission: 'granted', requestPermission: async () => 'granted' });
define('localStorage', {
  getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value),
  removeItem: (key) => stored.delete(key),
});

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
let listed; // what the hub rings
const told = [];
define('fetch', async (url, { method, body } = {}) => {
  if (url === '/api/v1/session') return Response.json({ device: { id: '7' } });
  if (url === '/api/v1/bells/devices') return Response.json(listed);
  if (method === 'PUT') told.push(JSON.parse(body));
  return Response.json(method === 'PUT' ? { device: '9' } : { key: 'AQ' });
});

const { session } = await page('/session.js');
const { subscribe, tellRenewed } = await page('/bells/push.js');
session.set({ person: { id: '1', name: 'Ada', role: 'member' }, rights: [], device: { id: '7' } });

/** Has the browser know what it told the hub, and the hub ring it or not. */
function begin({
  endpoint = 'https://push.example/old', has = endpoint, known = zone, channels = ['webpush'], at = Date.now(),
} = {}) {
  stored.set('eightbells-push', JSON.stringify({ endpoint, device: '7', zone: known, at }));
  mine = has && subscriptionOf(has);
  listed = channels ? [{ id: '8', this: false, channels: [] }, { id: '9', this: true, channels }] : [];
  told.length = 0;
  made = 0;
}
const endpoints = () => told.map(({ subscription }) => subscription.endpoint);

test('who has travelled is rung by the clock of where they are, once the page is opened there', async () => {
  begin();
  assert.equal(await tellRenewed(), null);
  begin({ known: 'Pacific/Kiritimati' });
  await tellRenewed();
  assert.deepEqual(told.map((one) => [one.subscription.endpoint, one.zone]), [['https://push.example/old', zone]]);
  assert.equal(await tellRenewed(), null, 'the hub is told once');
});

test('the hub, which forgets a browser that nothing has rung for long, is told of it each week', async () => {
  const day = 86_400_000;
  begin({ at: Date.now() - 6 * day });
  assert.equal(await tellRenewed(), null);
  for (const at of [Date.now() - 8 * day, null]) { // an earlier version has noted none
    begin({ at });
    await tellRenewed();
    assert.deepEqual(endpoints(), ['https://push.example/old']);
    assert.equal(await tellRenewed(), null, 'once');
  }
});

test('a subscription that the browser has lost is made anew, and the hub is told', async () => {
  begin({ has: null });
  await tellRenewed();
  assert.deepEqual(endpoints(), ['https://push.example/new1']);
  begin({ has: 'https://push.example/renewed' });
  await tellRenewed();
  assert.deepEqual(endpoints(), ['https://push.example/renewed']);
});

test('one that has ended at its push service is never told again', async () => {
  begin({ channels: [] });
  await subscribe({}, true);
  assert.deepEqual(endpoints(), ['https://push.example/new1']);
  begin({ channels: [], known: 'Pacific/Kiritimati' });
  await tellRenewed();
  assert.deepEqual(endpoints(), ['https://push.example/new1']);
  begin();
  await subscribe();
  assert.deepEqual(endpoints(), ['https://push.example/old'], 'what is good is kept');
});

test('a browser that somebody has removed from the list does not come back by itself', async () => {
  for (const more of [{ has: null }, { known: 'Pacific/Kiritimati' }, { has: 'https://push.example/renewed' }]) {
    begin({ ...more, channels: null });
    assert.equal(await tellRenewed(), null);
    assert.deepEqual(told, []);
  }
});

test('a browser that has not stored the page says so, and not that the hub is away', async (context) => {
  const { serviceWorker } = navigator;
  context.after(() => Object.assign(navigator, { serviceWorker }));
  Object.assign(navigator, { serviceWorker: { ready: new Promise(() => {}) } });
  context.mock.method(globalThis, 'setTimeout', (act, _, ...more) => later(act, 0, ...more));
  begin();
  await assert.rejects(subscribe(), { why: 'noWorker' });
});
