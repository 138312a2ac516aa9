// The album whose secret is in the page's address, for whoever has joined it on this device, or is a member.

import { isAway, recall } from '/keep.js';
import { Album, ALBUMS, browser, KEPT, memberAlbum, openAlbum } from '/albums/album/client.js';
import { keepAlbum, keptAlbums, moveAlbum } from '/albums/album/kept.js';
import { load, refreshSession, session } from '/session.js';
import { effect } from '/ui.js';

export const secretHere = () => decodeURIComponent(location.hash.slice(1));

const known = () => new Promise((resolve) => {
  const stop = effect(() => { if (session() !== undefined) queueMicrotask(() => (stop(), resolve(session.peek()))); });
});

/** The secret of an address such as https://hub.example/album#SECRET. */
export const secretOf = (url) => decodeURIComponent((url ?? '').split('#')[1] ?? '');

/** The secret of an album's link now, as hosts are told it; for others as this device has it. */
export const linkOf = (album) => secretOf(album?.details.peek()?.join_url)
  || album?.secret || secretHere();

/** The albums that this device has joined, but for those that are in the reader's own list. */
export function keptBeside(albums) {
  const ids = new Set((albums ?? []).map(({ id }) => id));
  return keptAlbums().filter(({ id, isMembers }) => !ids.has(id) && (!isMembers || session()));
}

/** The page of an album of the reader's list: the hosts' page for its host. */
export const pageOf = (one) => {
  const secret = encodeURIComponent(secretOf(one.join_url));
  return one.role === 'host' && secret ? `/album/host#${secret}` : `/album#${secret || `id=${one.id}`}`;
};

/**
 * Takes the link of a host's own, as the command line prints it: this device is that host from now on, and the token
 * leaves the address. `agrees(name)` asks first, unless the device knows the album: any page can lead here, to an album
 * whose name is not what it seems.
 */
export async function takeHostLink(agrees) {
  const [, id, token] = /^id=(\w+)&token=(album_[\w-]+)$/.exec(location.hash.slice(1)) ?? [];
  if (!id) return;
  // No cookie is taken before somebody agrees: with it alone this device would be that host.
  const fetch = (address, options) => browser.fetch(address, { ...options, credentials: 'omit' });
  const album = new Album({ id, token }, { ...browser, fetch });
  let secret = '';
  try {
    await album.refreshDetails();
    const { name, join_url: url } = album.details.peek();
    secret = secretOf(url);
    if (keptAlbums.peek().some((one) => one.id === id) || await agrees(name)) {
      await new Album({ id, token }).ask('POST', '/me/cookie');
      keepAlbum({ id, name, token, secret, role: 'host' });
    }
  } catch (error) {
    if (isAway(error) || ![401, 404, 410].includes(error.status)) return; // not reached, or busy: it still counts
  }
  history.replaceState(null, '', `${location.pathname}#${encodeURIComponent(secret)}`);
}

/**
 * The album of this page: of a member who is in it, with the session; else as this device has joined it. Its state is
 * 'outside' if it has not.
 */
export async function albumHere() {
  const secret = secretHere();
  if (session.peek() === undefined) refreshSession(); // on pages without the navigation nobody else asks
  if (await known()) {
    // Without an answer, as the list of albums knew them last: else its host would be told to be none.
    const albums = await load(ALBUMS).then((answer) => answer.albums, async () => (await recall(KEPT))?.body ?? []);
    const mine = albums.find((one) => secretOf(one.join_url) === secret);
    if (mine) return memberAlbum(mine.id);
  }
  const found = openAlbum(secret);
  if (!found.id && secret) {
    await found.look(); // it may be joined by an earlier link, or forgotten by the browser
    if (!found.id && found.state.peek() !== 'wrong') found.state.set('outside');
  }
  return found;
}

/** A host's page follows the album's link: its address, and what this device keeps, have the secret of now. */
export function followLink(album) {
  const secret = secretOf(album.details()?.join_url);
  if (!secret || secret === secretHere()) return;
  moveAlbum(album, album.id, secret);
  history.replaceState(null, '', `${location.pathname}#${encodeURIComponent(secret)}`);
}

/** Starts over when another secret is put into the address. */
export const followAddress = () => addEventListener('hashchange', () => location.reload());
