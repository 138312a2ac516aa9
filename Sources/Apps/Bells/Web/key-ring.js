// The keys of private messages on this device: the current one, older ones that still open what comes, and the ids of
// those that were revoked. The same as KeyRing.swift; a ring is {current, keys: [{id, key}], revoked}, and each
// function returns a new one.

import { fromBase64url, idOf, toBase64url } from '/bells/sealed.js';

export const emptyRing = { v: 1, current: null, keys: [], revoked: [] };

const MOST = 64;
const MOST_REVOKED = 256;

/** Thrown for a key that was revoked (`revoked`), one too many (`full`), or where nothing is stored (`unkept`). */
export class KeyRefused extends Error {
  constructor(why) {
    super(why);
    this.why = why;
  }
}

/** Adds a key, and makes it the current one. */
export async function withKey(ring, key) {
  const id = await idOf(key);
  if (ring.revoked.includes(id)) throw new KeyRefused('revoked');
  if (ring.keys.some((one) => one.id === id)) return { ...ring, current: id };
  if (ring.keys.length >= MOST) throw new KeyRefused('full');
  return { ...ring, current: id, keys: [...ring.keys, { id, key: toBase64url(key) }] };
}

/** Forgets a key; it may be added again. */
export const withoutKey = (ring, id) => ({
  ...ring, current: ring.current === id ? null : ring.current, keys: ring.keys.filter((one) => one.id !== id),
});

/** Forgets a key for good. */
export const withRevoked = (ring, id) => ({
  ...withoutKey(ring, id), revoked: [...ring.revoked.filter((one) => one !== id), id].slice(-MOST_REVOKED),
});

/** The bytes of a key; undefined if it is not there. */
export const keyOfRing = (ring, id) => {
  const found = ring.keys.find((one) => one.id === id);
  return found && fromBase64url(found.key);
};
