// The room's part of the service worker: gives pictures from those kept on this device, so that pages show them with
// the addresses of the API, with and without a network. It only reads.

import { keyAt, rangeOf } from '/portfolio/keeping/names.js';
import { Store } from '/portfolio/keeping/store.js';

const keptPictures = new Store();

function keptAnswer({ type, bytes }, request) {
  const range = rangeOf(request.headers.get('Range'), bytes.byteLength);
  const headers = { 'Content-Type': type, 'Accept-Ranges': 'bytes' };
  if (range === undefined) return new Response(null, { status: 416 });
  if (range === null) return new Response(bytes, { headers });
  headers['Content-Range'] = `bytes ${range.from}-${range.to - 1}/${bytes.byteLength}`;
  return new Response(bytes.slice(range.from, range.to), { status: 206, headers });
}

async function keptPicture(request, key, version) {
  const kept = await keptPictures.file(key).catch(() => undefined);
  if (kept && (version === null || String(kept.version) === version)) return keptAnswer(kept, request);
  try {
    return await fetch(request);
  } catch (error) {
    if (kept) return keptAnswer(kept, request); // an older one is better than none
    throw error;
  }
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { pathname, origin, searchParams } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'same-origin') return; // what is kept next: keeper.js
  const key = keyAt(pathname);
  if (key) event.respondWith(keptPicture(request, key, searchParams.get('v')));
});
