// The service worker of one link: keeps the player's own files, so that it opens without a network. The pictures lie in
// a database that it never touches. Packing puts in which files there are.

const PLAYER = __PLAYER__;
const SCOPE = new URL(registration.scope).pathname;
const OURS = `eightbells-player-${SCOPE.split('/').filter(Boolean).at(-1)}-`;
const CACHE = OURS + PLAYER.version;
const MANIFEST = `${SCOPE}app.webmanifest`;

const fresh = (path) => new Request(path, { cache: 'reload', credentials: 'omit' });

async function store() {
  const cache = await caches.open(CACHE);
  await cache.addAll([SCOPE, ...PLAYER.files].map(fresh));
  await cache.add(fresh(MANIFEST)).catch(() => {}); // it opens without
}

async function install() {
  await store();
  await skipWaiting();
}

/** Stores the player's files anew where a browser has deleted them and has left this worker. */
async function storeAgain() {
  if (!await caches.match(SCOPE, { cacheName: CACHE })) await store();
}

async function activate() {
  const older = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
  await Promise.all(older.map((name) => caches.delete(name)));
  await clients.claim();
}

/** The kept file, or the hub's. */
async function kept(path, request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(path)) ?? fetch(request);
}

addEventListener('install', (event) => event.waitUntil(install()));
addEventListener('activate', (event) => event.waitUntil(activate()));
addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate' && pathname === SCOPE) {
    event.respondWith(kept(SCOPE, request));
    event.waitUntil(storeAgain().catch(() => {}));
  } else if (pathname === MANIFEST || PLAYER.files.includes(pathname)) {
    event.respondWith(kept(pathname, request));
  }
});
