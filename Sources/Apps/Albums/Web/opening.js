// The album whose secret is in the page's address, for whoever has joined it on this device, or is a member.

import { ALBUMS, memberAlbum, openAlbum } from '/albums/album/client.js';
import { load, refreshSession, session } from '/session.js';
import { effect } from '/ui.js';

export const secretHere = () => decodeURIComponent(location.hash.slice(1));

const known = () => new Promise((resolve) => {
  const stop = effect(() => { if (session() !== undefined) queueMicrotask(() => (stop(), resolve(session.peek()))); });
});

/** The secret of an address such as https://hub.example/album#SECRET. */
export const secretOf = (url) => decodeURIComponent((url ?? '').split('#')[1] ?? '');

/**
 * The album of this page: of a member who is in it, with the session; else as this device has joined it. Its state is
 * 'outside' if it has not.
 */
export async function albumHere(secret = secretHere()) {
  if (session.peek() === undefined) refreshSession(); // on pages without the navigation nobody else asks
  if (await known()) {
    const albums = await load(ALBUMS).then((answer) => answer.albums, () => []);
    const mine = albums.find((one) => secretOf(one.join_url) === secret);
    if (mine) return memberAlbum(mine.id);
  }
  return openAlbum(secret);
}

/** Starts over when another secret is put into the address. */
export const followAddress = () => addEventListener('hashchange', () => location.reload());
