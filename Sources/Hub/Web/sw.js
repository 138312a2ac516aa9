// Serves the pages from this device. Everything that changes comes from the hub, and each page keeps its own last
// answers. The two names in capitals are filled in when the hub is built: a hash of all files, and the list of their
// addresses.

const PREFIX = 'eightbells-pages-';
const NAME = `${PREFIX}__VERSION__`;
const PAGES = __SHELL__;

const MANIFEST = '/manifest.webmanifest'; // it changes with the space: the last one is kept

/** For an address that is not kept: what can be done without the hub. */
const offline = async () => (await (await caches.open(NAME)).match('/offline')) ?? Response.error();

async function manifest(request) {
  const cache = await caches.open(NAME);
  try {
    const answer = await fetch(request);
    if (answer.ok) await cache.put(MANIFEST, answer.clone());
    return answer;
  } catch {
    return (await cache.match(MANIFEST)) ?? Response.error();
  }
}

self.addEventListener('install', (event) => {
  // All or nothing: a version of which one file is missing must not replace one that works. 'no-cache' asks the hub
  // whether the browser's copy is still right, so a page and its modules are always of the same version.
  const all = PAGES.map((path) => new Request(path, { cache: 'no-cache' }));
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(all)));
});

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== NAME);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim(); // so that the very first visit can already be reloaded offline
  })());
});

self.addEventListener('message', (event) => {
  if (event.data === 'take over') self.skipWaiting(); // a page says when: never under somebody's hands
});

self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== 'GET' || origin !== self.location.origin) return;
  if (!PAGES.includes(pathname)) {
    if (event.request.mode === 'navigate') event.respondWith(fetch(event.request).catch(offline));
    else if (pathname === MANIFEST) event.respondWith(manifest(event.request));
    return;
  }
  event.respondWith((async () => {
    const cache = await caches.open(NAME);
    return (await cache.match(pathname)) ?? fetch(event.request); // the browser may have thrown the copy away
  })());
});
