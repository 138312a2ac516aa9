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
function worker(answers) {
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
  });
  return (path) => {
    let answer;
    const request = { url: ORIGIN + path, method: 'GET', mode: 'cors' };
    listeners.fetch({ request, respondWith: (one) => { answer = one; }, waitUntil: () => {} });
    return answer;
  };
}

test('on a full device the hub’s answers are passed on that would be kept otherwise', async () => {
  const answers = { '/api/v1/rooms': { rooms: ['sign'], front: 'sign' }, '/manifest.webmanifest': { name: 'Club' } };
  const ask = worker(answers);
  for (const [path, answer] of Object.entries(answers)) assert.deepEqual(await (await ask(path)).json(), answer);
});
