// The albums that this device has joined, in localStorage: [{id, name, token, secret, role}], the latest first. Without
// storage (a private window of some browsers) they last as long as the page.

import { signal } from '/ui.js';
import { remember, remembered } from '/keep.js';

const KEY = 'albums';
const MOST = 50; // albums that one device remembers; the one that was opened longest ago is forgotten

function read() {
  const found = remembered(KEY);
  return Array.isArray(found) ? found.filter((one) => one?.id && typeof one.secret === 'string') : [];
}

/** All of them; other tabs of this device add some, too. */
export const keptAlbums = signal(read());

function write(all) {
  keptAlbums.set(all);
  remember(KEY, all);
}

globalThis.addEventListener?.('storage', ({ key }) => { if (key === KEY) keptAlbums.set(read()); });

/** The album with this secret, or undefined. */
export const keptAlbum = (secret) => keptAlbums.peek().find((one) => one.secret === secret);

/** Keeps an album, or what has changed about it, as the latest. */
export function keepAlbum(entry) {
  const all = keptAlbums.peek();
  const before = all.find(({ secret }) => secret === entry.secret);
  write([{ ...before, ...entry }, ...all.filter((one) => one !== before)].slice(0, MOST));
}

export const forgetAlbum = (secret) => write(keptAlbums.peek().filter((one) => one.secret !== secret));
