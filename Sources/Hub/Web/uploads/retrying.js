// When a file that was not taken is tried again, by the hub's answer. Pure.

import { HubError } from '/keep.js';

/** Milliseconds. */
export const WAITS = {
  first: 1_000, // doubles up to the last
  last: 60_000,
  full: 300_000, // while the hub, or the place, is full: somebody has to make room first
};

const FULL = [507];
const LATER = [408, 423, 425, 429, 460];
const UNKNOWN_ADDRESS = 40401; // of an older hub; any other 404 of the hub says that what the file was for is gone
const TOO_LARGE = 413; // of the web server before the hub, perhaps, which will not take it later either

/**
 * {kind, wait}: 'network' (no answer), 'busy' (the hub asks to come later), 'full', 'room' (the hub or the place has no
 * room for this file; a smaller one may fit), 'stopped' (this device may not send there any more: nothing is sent, and
 * nothing lost) or 'refused' (this file; `wait` is null, somebody has to decide). `stopping` are the codes of refusals
 * that stop all, `crowded` those of a place without room.
 */
export function verdict(error, failures, { stopping = [], crowded = [], random = Math.random } = {}) {
  const backoff = Math.min(WAITS.first * 2 ** Math.min(failures, 16), WAITS.last) * (0.5 + random() / 2);
  if (!(error instanceof HubError)) return { kind: 'network', wait: backoff };
  const { status, code, after, offset } = error;
  if (stopping.includes(code) || status === 401) return { kind: 'stopped', wait: null };
  if (crowded.includes(code)) return { kind: 'room', wait: WAITS.full };
  if (FULL.includes(status)) return { kind: 'full', wait: WAITS.full };
  // Each refusal of the hub has a code. One without is of what stands before it: a web server while the hub starts, a
  // network that asks for a sign-in first. Answers to HEAD have none, and are asked for again as well.
  const isAway = code === UNKNOWN_ADDRESS || (!code && status !== TOO_LARGE);
  if (isAway || offset !== undefined || LATER.includes(status) || status >= 500) {
    return { kind: 'busy', wait: Math.max(backoff, (after ?? 0) * 1_000) };
  }
  return { kind: 'refused', wait: null };
}
