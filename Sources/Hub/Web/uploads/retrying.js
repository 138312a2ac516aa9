// When a file that was not taken is tried again, by the hub's answer. Pure.

import { HubError } from '/keep.js';

/** Milliseconds. */
export const WAITS = {
  first: 1_000, // doubles up to the last
  last: 60_000,
  full: 300_000, // while the hub is full: somebody has to make room first
};

const FULL = [507];
const LATER = [404, 408, 409, 410, 423, 425, 429, 460]; // with an upload that is gone it begins anew

/**
 * {kind, wait}: 'network' (no answer), 'busy' (the hub asks to come later), 'full', 'stopped' (this device may not send
 * there any more: nothing is sent, and nothing lost) or 'refused' (this file; `wait` is null, somebody has to decide).
 * `stopping` are the codes of refusals that stop all.
 */
export function verdict(error, failures, stopping = [], random = Math.random) {
  const backoff = Math.min(WAITS.first * 2 ** Math.min(failures, 16), WAITS.last) * (0.5 + random() / 2);
  if (!(error instanceof HubError)) return { kind: 'network', wait: backoff };
  const { status, code, after } = error;
  if (stopping.includes(code) || status === 401) return { kind: 'stopped', wait: null };
  if (FULL.includes(status)) return { kind: 'full', wait: WAITS.full };
  if (LATER.includes(status) || status >= 500) return { kind: 'busy', wait: Math.max(backoff, (after ?? 0) * 1_000) };
  return { kind: 'refused', wait: null };
}
