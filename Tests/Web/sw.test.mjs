// The hub's part of the service worker, in a world of its own.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';

const ORIGIN = 'https://hub.example';
const ROOMS = { sign: { cache: 'eightbells-room-sign-1', page: '/sign', files: ['/sign'] } };
const SCRIPT = readFileSync(new URL('../../Sources/Hub/Web/sw.js', import.meta.url), 'utf8')
  .replace('__SHELL__', JSON.stringify({ cache: 'eightbells-pages-1', files: ['/offline'] }))
  .replace('__ROOMS__', JSON.stringify(ROOMS));

/** A worker of which nothing can be kept on the device; `answers` are the hub's, by path. */
function worker(answers, more) {
  const listeners = {};
  const full = async () => { throw new DOMException('full', 'QuotaExceededError'); };
  const cache = { match: async () => undefined, put: full, addAll: full };
  vm.runInNewContext(SCRIPT, {
    caches: { open: async () => cache, match: async () => undefined, keys: async () => [], delete: async () => true },
    fetch: async (request) => Response.json(answers[new URL(request.url ?? request, ORIGIN).pathname]),
    Response, Request, URL,
    self: {
      addEventListener: (name, act) => { listeners[name] = act; }, location: { origin: ORIGIN },
      clients: { matchAll: async () => [], claim: async () => {} },
    },
    ...more,
  });
  return (path, mode = 'cors') => {
    let answer;
    const request = { url: ORIGIN + path, method: 'GET', mode };
    listeners.fetch({ request, respondWith: (one) => { answer = one; }, waitUntil: () => {} });
    return answer;
  };
}

test('on a full device the hub’s answers are passed on that would be kept otherwise', async () => {
  const answers = { '/api/v1/rooms': { rooms: ['sign'], front: 'sign' }, '/manifest.webmanifest': { name: 'Club' } };
  const ask = worker(answers);
  for (const [path, answer] of Object.entries(answers)) assert.deepEqual(await (await ask(path)).json(), answer);
});

/** A worker's world in which what is stored stays, until `forget`; every answer of the hub is `text`. */
function storing(script, text, more) {
  const [listeners, kept, waits] = [{}, new Map(), []];
  const at = (name) => kept.get(name) ?? kept.set(name, new Map()).get(name);
  const fetched = async () => new Response(text);
  const pathOf = ({ url }) => new URL(url, ORIGIN).pathname;
  const open = async (name) => ({
    match: async (path) => kept.get(name)?.get(path),
    put: async (path, answer) => void at(name).set(path, answer),
    add: async (request) => void at(name).set(pathOf(request), await fetched()),
    addAll: async (all) => { for (const one of all) at(name).set(pathOf(one), await fetched()); },
  });
  const addEventListener = (name, act) => { listeners[name] = act; };
  vm.runInNewContext(script, {
    caches: {
      open, match: async (path, { cacheName }) => kept.get(cacheName)?.get(path), keys: async () => [...kept.keys()],
      delete: async (name) => kept.delete(name),
    },
    fetch: fetched, Response, URL, Request: class { constructor(url) { this.url = url; } },
    location: { origin: ORIGIN }, self: { addEventListener, location: { origin: ORIGIN } }, addEventListener, ...more,
  });
  const visit = async (path) => {
    listeners.fetch({
      request: { url: ORIGIN + path, method: 'GET', mode: 'navigate' }, respondWith: (answer) => waits.push(answer),
      waitUntil: (work) => waits.push(work),
    });
    await Promise.all(waits.splice(0));
    return [...kept].filter(([, files]) => files.size).map(([name, files]) => [name, [...files.keys()]]);
  };
  return { visit, forget: () => kept.clear() };
}

test('where a browser has deleted the caches alone, the next visit stores the shell anew', async () => {
  const shell = ['eightbells-pages-1', ['/offline']];
  const { visit, forget } = storing(SCRIPT, '"eightbells-pages-1" "eightbells-room-sign-1"');
  assert.deepEqual(await visit('/me'), [shell]);
  forget();
  assert.deepEqual(await visit('/sign'), [shell, ['eightbells-room-sign-1', ['/sign']]]);
});

test('a version for which the device has no room leaves nothing half done', async () => {
  const left = new Set();
  const full = async () => { throw new DOMException('full', 'QuotaExceededError'); };
  const coming = { match: async () => new Response(''), addAll: async () => {}, put: full };
  const { visit } = storing(SCRIPT, '"eightbells-pages-1"', {
    caches: {
      open: async (name) => (left.add(name), coming), match: async () => undefined, keys: async () => [...left],
      delete: async (name) => left.delete(name),
    },
  });
  await visit('/me');
  assert.deepEqual([...left], []);
});

test('a document that was read here is shown where the hub does not answer', async () => {
  const answers = [new Response('read before')];
  let kept;
  const ask = worker({}, {
    caches: { open: async () => ({ match: async () => kept?.clone(), put: async (_, answer) => { kept = answer; } }) },
    fetch: async () => answers.shift() ?? new Promise(() => {}), setTimeout: (act) => setTimeout(act),
  });
  await ask('/docs/anchor');
  assert.equal(await (await ask('/docs/anchor')).text(), 'read before');
  answers.push(new Response('<h1>502 Bad Gateway</h1>', { status: 502 })); // of the web server before a hub that starts
  assert.equal(await (await ask('/docs/anchor')).text(), 'read before');
});

test('a page that is not kept is one of ours while a web server answers for the hub', async () => {
  const ask = worker({}, {
    caches: { match: async (path) => (path === '/offline' ? new Response('not without the hub') : undefined) },
    fetch: async () => new Response('<h1>502 Bad Gateway</h1>', { status: 502 }),
  });
  assert.equal(await (await ask('/people', 'navigate')).text(), 'not without the hub');
});

test('a module that the hub could not give is asked for again, and other files are not', async () => {
  const room = JSON.stringify({ sign: { cache: '1', page: '/sign', files: ['/sign/late.js'] } });
  const script = SCRIPT.replace(JSON.stringify(ROOMS), room);
  const ask = async (destination, answers) => {
    const listeners = {};
    vm.runInNewContext(script, {
      caches: { match: async () => undefined }, URL, Response, navigator: { onLine: true },
      fetch: async () => answers.shift()(), setTimeout: (act) => setTimeout(act),
      self: { addEventListener: (name, act) => { listeners[name] = act; }, location: { origin: ORIGIN } },
    });
    const request = { url: `${ORIGIN}/sign/late.js`, method: 'GET', mode: 'cors', destination };
    return new Promise((respondWith) => { listeners.fetch({ request, respondWith, waitUntil: () => {} }); });
  };
  const down = () => new Response('', { status: 503 });
  const cut = () => { throw new TypeError('no network'); };
  const there = () => new Response('export default 1');
  assert.equal((await ask('script', [down, cut, there])).status, 200);
  assert.equal((await ask('image', [down, there])).status, 503);
  assert.equal((await ask('script', [() => new Response('', { status: 404 }), there])).status, 404);
  assert.equal((await ask('script', [down, down, down, down, there])).status, 503);
  await assert.rejects(ask('script', [cut, cut, cut, cut, there]));
});

test('the player of a link comes back, too', async () => {
  const script = readFileSync(new URL('../../Sources/Apps/Portfolio/Web/player/worker.js', import.meta.url), 'utf8')
    .replace('__PLAYER__', JSON.stringify({ version: '1', files: ['/player.js'] }));
  const { visit } = storing(script, '', { registration: { scope: `${ORIGIN}/sent/one/` } });
  const files = ['/sent/one/', '/player.js', '/sent/one/app.webmanifest'];
  assert.deepEqual(await visit('/sent/one/'), [['eightbells-player-one-1', files]]);
});
