// The albums that this device has joined, in localStorage: [{id, name, token, secret, former, role, isMembers,
// openedAt}], the latest first. Bookmarks and chats still have the secrets of earlier links: `former`. Without storage
// (a private window of some browsers) they last as long as the page. Those that a member has joined lie apart: whoever
// signs out takes them along, since their links would let the next person in again.

import { signal } from '/ui.js';
import { forget, remember, remembered, wasInside } from '/keep.js';

const KEY = 'albums';
const OF_MEMBER = 'eightbells-mine-albums'; // keep.js deletes what is named so
const MOST = 50; // albums that one device remembers; the one that was opened longest ago is forgotten
const FORMER = 5; // earlier links of one album

/** The name under which a device keeps the pictures of an album. */
export const keyOf = (id) => `album ${id}`;

function read() {
  return [...(wasInside() ? [OF_MEMBER] : []), KEY].map(remembered).filter(Array.isArray).flat()
    .filter((one) => one?.id && typeof one.secret === 'string')
    .sort((one, other) => (other.openedAt ?? 0) - (one.openedAt ?? 0));
}

/** All of them; other tabs of this device add some, too. */
export const keptAlbums = signal(read());

function write(all) {
  keptAlbums.set(all);
  remember(KEY, all.filter(({ isMembers }) => !isMembers));
  const mine = all.filter(({ isMembers }) => isMembers);
  if (wasInside()) remember(OF_MEMBER, mine.length ? mine : null);
}

globalThis.addEventListener?.('storage', ({ key }) => {
  if ([KEY, OF_MEMBER].includes(key)) keptAlbums.set(read());
});

/** The album with this secret, or that had it before, or undefined. */
export const keptAlbum = (secret) => keptAlbums.peek().find((one) => one.secret === secret)
  ?? keptAlbums.peek().find(({ former }) => former?.includes(secret));

/** Keeps an album, or what has changed about it, as the latest. */
export function keepAlbum(entry) {
  const all = keptAlbums.peek();
  const before = all.find(({ secret }) => secret === entry.secret);
  write([{ ...before, ...entry, openedAt: Date.now() }, ...all.filter((one) => one !== before)].slice(0, MOST));
}

/** The album `id` has another link by now: what is kept of it goes on under the new secret, and so does its client. */
export function moveAlbum(album, id, secret) {
  const entry = keptAlbums.peek().find((one) => one.id === id);
  if (!entry) return;
  forgetAlbum(entry.secret);
  const former = [entry.secret, ...entry.former ?? []].filter((one) => one !== secret).slice(0, FORMER);
  keepAlbum({ ...entry, secret, former });
  if (!album.secret) return; // a member's, who needs no link
  album.secret = secret;
  album.entry.set(keptAlbum(secret));
  album.state.set(entry.isAsked ? 'asked' : 'in');
}

/** Earlier pages did not note who joined: albums whose `ids` a member's own list has are theirs, with what was kept. */
export function claimAlbums(ids) {
  const isTheirs = ({ id, isMembers }) => isMembers === undefined && ids.has(id);
  const all = keptAlbums.peek();
  if (!all.some(isTheirs)) return;
  for (const { id } of all.filter(isTheirs)) forget(keyOf(id));
  write(all.map((one) => (isTheirs(one) ? { ...one, isMembers: true } : one)));
}

export const forgetAlbum = (secret) => write(keptAlbums.peek().filter((one) => one.secret !== secret));
