// Serves the pages from this device: the shell and the front room from the first visit on, each other room from its own
// first visit on. Data comes from the hub, and pages store their own last answers. The names in capitals are filled in
// when the pages are packed: {cache, files} of the shell, and of each room by its id, with its `page`, and with the
// address prefixes of single `items` that this page shows, too. A cache is named by its contents, so that unchanged
// files are not fetched again. A room's `settings` is its address of the owner's form, `guests` the short one of
// its page for guests.

const SHELL = __SHELL__;
const ROOMS = __ROOMS__;

// The rooms that are switched off, filled in by the hub: their pages do not exist, and the others differ.
const OFF = [];
const isOff = (path) => OFF.some((id) => path === `/${id}` || path.startsWith(`/${id}/`));
for (const id of OFF) delete ROOMS[id];
for (const part of [SHELL, ...Object.values(ROOMS)]) {
  part.version = part.cache;
  part.cache = [part.cache, ...OFF].join('-');
  part.files = part.files.filter((path) => !isOff(path));
}

const FORM = '/settings/place'; // the page of the owner's form, at the `settings` of rooms too
const MANIFEST = '/manifest.webmanifest'; // changes with the space: the last one is kept
const CHOICE = '/api/v1/rooms'; // the choice of rooms, which every page fetches; the front room is recorded
const KEPT = 'eightbells-kept'; // answers of the hub, kept over all versions of the pages
const DOCS = 'eightbells-docs'; // the documents that were read on this device, as they were last
const PATIENCE = 5_000; // milliseconds that the hub has for a document that is kept here, too
const PAUSES = [1_000, 2_000, 4_000]; // milliseconds before a module that the hub could not give is asked for again
const OURS = /^eightbells-(pages|room)-/;

// An item's address is one name behind the prefix: what lies deeper, as a mail's link does, is the hub's own page.
const isPageOf = ({ page, items, files }, path) => path === page
  || (items !== undefined && path.startsWith(items) && !path.includes('/', items.length)
    && !files.includes(path));
const all = Object.values(ROOMS);
const roomAt = (path, isNavigation) => (isNavigation ? all.find((room) => isPageOf(room, path)) : undefined)
  ?? all.find(({ files }) => files.includes(path));

/** The address at which a page is kept that is served at another one, too. */
function pageAt(path) {
  const hosting = all.find(({ guests }) => guests === path);
  if (hosting) return `${hosting.page}${path}`;
  return all.some(({ settings }) => settings === path) ? FORM : path;
}

// Pages that came from a hub of another version than this worker's: all that they load comes from there. Forgotten when
// this worker rests, which it does not while a page loads.
const otherPages = new Set();

/** True if the shell and this part of the pages are on the hub as this worker knows them: it may have been upgraded. */
async function isCurrent({ version }) {
  const worker = await (await reach('/sw.js', { cache: 'no-cache' })).text();
  return [SHELL.version, version].every((name) => worker.includes(`"${name}"`));
}

/** The hub's answer. An error of the web server before it, as while it starts, counts as none: it stands in no page. */
async function reach(...request) {
  const answer = await fetch(...request);
  if (answer.status >= 500) throw new Error(`answered ${answer.status}`);
  return answer;
}

/** A page that is not kept. The shell that is kept may not fit to it any more, and it would stay blank. */
async function fromHub(event, part) {
  const [answer, fits] = await Promise.all([reach(event.request), isCurrent(part).catch(() => true)]);
  if (!fits) otherPages.add(event.resultingClientId);
  return answer;
}

/** The page for addresses that are not kept, without a network. */
const offline = async () => (await caches.match('/offline', { cacheName: SHELL.cache })) ?? Response.error();

/** Keeps an answer of the hub, if there is room for it on this device: it is passed on in any case. */
const keepAnswer = (path, answer) => caches.open(KEPT).then((cache) => cache.put(path, answer)).catch(() => {});

/**
 * A file that is not kept here. A module is asked for again while the hub is down for a moment: Firefox keeps a failure
 * for as long as its page is open, so that no page can ask for the module again itself.
 */
async function unkept(request, pauses = request.destination === 'script' ? PAUSES : []) {
  const answer = await fetch(request).catch((error) => error);
  if (answer.ok || answer.status < 500 || !navigator.onLine || !pauses.length) {
    if (answer instanceof Response) return answer;
    throw answer;
  }
  await new Promise((resolve) => { setTimeout(resolve, pauses[0]); });
  return unkept(request, pauses.slice(1));
}

/** Fetches the choice of rooms from the hub, and records the front room. */
async function learn(request) {
  const answer = await fetch(request);
  if (!answer.ok) return answer;
  const { front } = await answer.clone().json();
  await keepAnswer(CHOICE, new Response(front));
  return answer;
}

/** The last known front room; undefined if unknown. */
async function front() {
  const said = await caches.match(CHOICE, { cacheName: KEPT });
  return said && ROOMS[await said.text()];
}

/** A file in this version; an unvisited room's may be kept with a visited room. */
async function kept(path, room) {
  for (const { cache: cacheName } of room ? [room, ...all] : [SHELL]) {
    const found = await caches.match(path, { cacheName });
    if (found) return found;
  }
  return undefined;
}

async function manifest(request) {
  try {
    const answer = await reach(request);
    if (answer.ok) await keepAnswer(MANIFEST, answer.clone());
    return answer;
  } catch {
    return (await caches.match(MANIFEST, { cacheName: KEPT })) ?? Response.error();
  }
}

/** A document or a file of one: the hub's, and without it, or if it takes long, the one that was read here. */
async function documented(request, path) {
  const cache = await caches.open(DOCS);
  const late = await cache.match(path) && new Promise((_, reject) => { setTimeout(reject, PATIENCE); });
  try {
    const answer = await Promise.race([reach(request), late].filter(Boolean));
    if (answer.ok && !answer.redirected) await cache.put(path, answer.clone()).catch(() => {}); // there may be no room
    return answer;
  } catch {
    return (await cache.match(path)) ?? (request.mode === 'navigate' ? offline() : Response.error());
  }
}

/**
 * Stores all files of one part, or none: an incomplete version must not replace one that works, and neither must files
 * of another version, which a hub has that was upgraded. 'no-cache' revalidates the browser's copies with the hub, so
 * that a page and its modules are of one version.
 */
async function fill(part) {
  const { cache: name, files } = part;
  if (await caches.match(files.at(-1), { cacheName: name })) return; // stored last
  const fresh = `${name}-coming`;
  const coming = await caches.open(fresh);
  try {
    await coming.addAll(files.map((path) => new Request(path, { cache: 'no-cache' })));
    if (!await isCurrent(part)) throw new Error(`the hub has other files by now than ${name}`);
    const cache = await caches.open(name);
    try {
      for (const path of files) await cache.put(path, await coming.match(path));
    } catch (error) {
      await caches.delete(name);
      throw error;
    }
  } finally {
    await caches.delete(fresh); // also where the device is full: each version that did not fit would leave another one
  }
}

const filling = new Map();

/** The same; concurrent calls share one run. */
function stock(part) {
  if (!filling.has(part)) filling.set(part, fill(part).finally(() => filling.delete(part)));
  return filling.get(part);
}

/** The front room, and the rooms visited on this device: those of an older version, and those open now. */
async function visited() {
  const first = await front();
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const paths = open.map(({ url }) => new URL(url).pathname);
  const found = [];
  for (const [id, room] of Object.entries(ROOMS)) {
    const isOpen = paths.some((path) => isPageOf(room, path) || path === room.guests || path.startsWith(`/${id}/`));
    if (room === first || isOpen || await caches.match(room.page)) {
      found.push(room);
    }
  }
  return found;
}

self.addEventListener('install', (event) => {
  event.waitUntil((async () => {
    await learn(CHOICE);
    for (const part of [SHELL, ...await visited()]) await stock(part);
  })());
});

/** Moves the hub's answers that older versions have kept, before their caches are deleted. */
async function carryOver(names) {
  if (await caches.match(MANIFEST, { cacheName: KEPT })) return;
  for (const cacheName of names) {
    const answer = await caches.match(MANIFEST, { cacheName });
    if (answer) return void await keepAnswer(MANIFEST, answer);
  }
}

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    const now = [SHELL.cache, ...all.map(({ cache }) => cache)];
    const old = (await caches.keys()).filter((name) => OURS.test(name) && !now.includes(name));
    await carryOver(old);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim(); // so that already the first visit can be reloaded offline
  })());
});

self.addEventListener('message', (event) => {
  if (event.data === 'take over') self.skipWaiting(); // a page decides when: never while somebody types
  if (event.data === 'take this page') event.waitUntil(self.clients.claim());
});

/** The front room's page; without the hub the last known one. */
async function atFront(event) {
  const room = await front();
  const found = room && await kept(room.page, room);
  if (found) return found;
  try {
    return await fromHub(event, room ?? SHELL); // the hub knows the current one
  } catch {
    for (const other of all) {
      const instead = await kept(other.page, other);
      if (instead) return instead;
    }
    return offline();
  }
}

self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== 'GET' || origin !== self.location.origin) return;
  const isNavigation = event.request.mode === 'navigate';
  if (!isNavigation && otherPages.has(event.clientId)) return;
  // A browser may have deleted all that was stored, and left this worker.
  if (isNavigation) event.waitUntil(stock(SHELL).catch(() => {}));
  if (pathname === CHOICE) {
    const answer = learn(event.request);
    event.respondWith(answer);
    // A new front room is stored, too, so that it works without a network.
    event.waitUntil(answer.then(front).then((room) => room && stock(room)).catch(() => {}));
    return;
  }
  if (pathname === '/') {
    event.respondWith(atFront(event));
    event.waitUntil(front().then((room) => room && stock(room)).catch(() => {}));
    return;
  }
  if (pathname === '/docs' || pathname.startsWith('/docs/')) {
    event.respondWith(documented(event.request, pathname));
    return;
  }
  const path = isNavigation ? pageAt(pathname) : pathname;
  const room = SHELL.files.includes(path) ? null : roomAt(path, isNavigation);
  if (room === undefined) {
    if (isNavigation) event.respondWith(fromHub(event, SHELL).catch(offline));
    else if (pathname === MANIFEST) event.respondWith(manifest(event.request));
    return;
  }
  // The first visit of a room stores the rest of it.
  if (room && isNavigation) event.waitUntil(stock(room).catch(() => {}));
  event.respondWith((async () => {
    const found = await kept(room && isPageOf(room, path) ? room.page : path, room);
    if (found) return found;
    // Not visited yet, or deleted by the browser.
    return isNavigation ? fromHub(event, room ?? SHELL).catch(offline) : unkept(event.request);
  })());
});
