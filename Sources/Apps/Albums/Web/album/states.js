// The states of a device towards an album, by the hub's refusals.

import { HubError } from '/keep.js';

/** The hub's codes that pages tell apart. */
export const CODES = {
  unknownToken: 40166, passphraseNeeded: 40365, passphraseWrong: 40366, notInYet: 40367, noAlbum: 40465,
  noPicture: 40466, noLink: 40468, closed: 41065, left: 41066, tooMany: 40967, albumFull: 41365, guestFull: 41366,
};

/** Those after which this device sends nothing more. */
export const STOPPING = [CODES.unknownToken, CODES.notInYet, CODES.noAlbum, CODES.closed, CODES.left];

/** Those after which it waits for room: a picture too many, the album's room or this guest's used up. */
export const CROWDED = [CODES.tooMany, CODES.albumFull, CODES.guestFull];

/**
 * The state that a refusal puts this device into, from `before`; undefined if it stays, as without a network. A member
 * has no token of the album, but a session.
 */
export function stateAfter(error, before, hasToken = true) {
  if (!(error instanceof HubError) || !error.code) return undefined; // of what stands before the hub
  const { code, status } = error;
  const isInside = before === 'in' || before === 'asked';
  if (code === CODES.closed) return isInside ? undefined : 'closed';
  if (code === CODES.left) return before === 'asked' ? 'refused' : 'removed';
  if (code === CODES.notInYet) return 'asked';
  if (code === CODES.noLink) return 'wrong';
  if (code === CODES.noAlbum || status === 410) return 'gone';
  if (isInside && code === CODES.unknownToken) return 'gone'; // the hub forgets the tokens of a deleted album
  if (!isInside || status !== 401) return undefined;
  return hasToken ? 'removed' : 'signed-out';
}
