// The room's part of the service worker, in a world of its own, for its tests.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import vm from 'node:vm';
import { workerScript } from './worker-script.mjs';

export const ORIGIN = 'https://hub.example';
const root = new URL('../../', import.meta.url);
export const wasm = readFileSync(new URL('.build/wasm/release/notifications.wasm', root));

const SCRIPT = workerScript('Bells', {
  '/extensions.js': `import { extend as bells } from '/bells/media.js';
export const extensions = [{ room: 'door', categories: ['door'], extend: (...all) => doorExtension(...all) },
{ room: 'bells', categories: ['*'], extend: bells }];
`,
  '/bells/private-keys.js': 'export const keptKey = (id) => self.keptKey(id);',
});
const BELLS = { page: '/bells' };
const PATIENCE = 1_000; // milliseconds
const EXTENSION = 10_000;

/**
 * It in a world of its own: push, press and close, and what came of them. `file()` is the rules' file, as the worker
 * keeps it; `isLate` is true where time is up before anything else happens.
 */
export function worker({
  answers = {}, userAgent = 'Chrome/140 AppleWebKit/537', languages = ['en'], maxActions = 2, hasButtons = true,
  hasPictures = true, file = async () => new Response(wasm), isLate = false,
  fetched = async () => { throw new TypeError('fetch failed'); },
  stranger, webPush, media, doorExtension, keptKey = async () => undefined, files = {}, first, windows = [],
} = {}) {
  const it = {
    screen: [], log: [], sent: [], opened: [], listeners: {}, limits: [], badge: null, stocked: 0, asked: 0, stranger,
  };
  const shownAt = (path) => ({
    url: ORIGIN + path, focus: async () => it.opened.push(`to ${path}`), navigate: async (url) => it.opened.push(url),
  });
  const close = (one) => { it.screen = it.screen.filter((other) => other !== one); };
  const self = {
    navigator: {
      userAgent, languages,
      setAppBadge: async (count) => { it.badge = count; }, clearAppBadge: async () => { it.badge = 0; },
    },
    location: { origin: ORIGIN },
    Notification: { maxActions, prototype: { ...(hasButtons && { actions: [] }), ...(hasPictures && { image: '' }) } },
    registration: {
      getNotifications: async () => [...it.screen],
      showNotification: async (title, options) => {
        if (options.silent && options.vibrate) throw new TypeError('Silent notifications must not specify vibration');
        it.log.push(title);
        it.screen = it.screen.filter(({ tag }) => tag !== options.tag);
        const one = { title, ...options, close: () => close(one) };
        it.screen.push(one);
      },
    },
    keptKey,
    clients: { matchAll: async () => windows.map(shownAt), openWindow: async (url) => it.opened.push(url) },
    addEventListener: (name, act) => { it.listeners[name] = act; },
  };
  const fetch = async (url, { method, body, credentials, signal } = {}) => {
    if (url === '/notifications.wasm') return fetched();
    if (files[url]) return new Response(files[url]);
    if (url === '/api/v1/bells/webpush') return Response.json(webPush(body && JSON.parse(body), method));
    const said = JSON.parse(body);
    if (url.endsWith('/media')) return media(url, said, { credentials, signal });
    it.sent.push({ url, credentials, ...said });
    const answer = answers[said.what] ?? {};
    if (answer === 'over') return { ok: false, status: 409 };
    if (answer instanceof Response) return answer.clone();
    if (answer === 'no network') throw new TypeError('fetch failed');
    if (answer === 'never') return new Promise((_, reject) => { signal.giveUp = reject; });
    return { ok: true, status: 200, json: async () => answer };
  };
  const setTimeout = (act, ms, ...values) => {
    if (ms === EXTENSION) return; // no time passes while a module works
    if (ms !== PATIENCE || isLate) queueMicrotask(() => act(...values));
  };
  const timeout = (limit) => {
    const signal = {};
    it.limits.push(limit);
    globalThis.setTimeout(() => { signal.giveUp?.(new Error(`nothing within ${limit}`)); }, limit / 100);
    return signal;
  };
  const kept = async (path, room) => {
    assert.deepEqual([path, room], ['/notifications.wasm', BELLS]);
    it.asked += 1;
    return file();
  };
  const stock = async (room) => {
    assert.equal(room, BELLS);
    it.stocked += 1;
  };
  const cache = {
    match: async () => it.stranger && Response.json(it.stranger),
    put: async (_, told) => { it.stranger = await told.json(); },
  };
  vm.runInNewContext(SCRIPT, {
    caches: { open: async () => cache }, atob, btoa, Response,
    self, fetch, URL, AbortSignal: { timeout }, setTimeout, queueMicrotask, crypto, TextEncoder, TextDecoder, kept,
    stock, doorExtension, structuredClone, AbortController, DOMException, clearTimeout: () => {},
    front: async () => first && { page: first }, ROOMS: { bells: BELLS }, console: { error: () => {} },
  });
  const run = async (name, event) => {
    const waits = [];
    it.listeners[name]({ ...event, waitUntil: (one) => waits.push(one) });
    await Promise.all(waits);
  };
  it.push = (message) => run('push', { data: { json: () => message } });
  it.press = (notification, action = '') => run('notificationclick', { notification, action });
  it.hear = (data) => run('message', { data });
  it.renew = (newSubscription) => run('pushsubscriptionchange', { newSubscription });
  it.close = (notification) => run('notificationclose', { notification });
  return it;
}

export const actions = [{ id: 'open', title: 'I open' }, { id: 'no', title: 'Not today' },
  { id: 'say', title: 'Say', text_input: { button: 'Send' } }];
export const message = (more = {}, content = {}) => ({
  v: 1, id: '12', version: 1, receipt: 'r', content: { title: 'Open', body: 'Ada', ...content }, ...more,
});
