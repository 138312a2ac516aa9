// When a picture that was not taken is tried again, by the hub's answer. Pure.

import { HubError } from '/keep.js';
import { CODES } from '/albums/album/states.js';

/** Milliseconds. */
export const WAITS = {
  first: 1_000, // doubles up to the last
  last: 60_000,
  full: 300_000, // while an album or the hub is full: somebody has to make room first
};

const FULL = [507];
const LATER = [404, 408, 409, 410, 423, 425, 429, 460]; // with an upload that is gone it begins anew
const STOPPED = [CODES.unknownToken, CODES.notInYet, CODES.noAlbum, CODES.closed, CODES.left];

/**
 * {kind, wait}: 'network' (no answer), 'busy' (the hub asks to come later), 'full', 'stopped' (this device is no longer
 * in the album: nothing is sent, and nothing lost) or 'refused' (this picture; `wait` is null, somebody has to decide).
 */
export function verdict(error, failures, random = Math.random) {
  const backoff = Math.min(WAITS.first * 2 ** Math.min(failures, 16), WAITS.last) * (0.5 + random() / 2);
  if (!(error instanceof HubError)) return { kind: 'network', wait: backoff };
  const { status, code, after } = error;
  if (STOPPED.includes(code) || status === 401) return { kind: 'stopped', wait: null };
  if (FULL.includes(status)) return { kind: 'full', wait: WAITS.full };
  if (LATER.includes(status) || status >= 500) return { kind: 'busy', wait: Math.max(backoff, (after ?? 0) * 1_000) };
  return { kind: 'refused', wait: null };
}
