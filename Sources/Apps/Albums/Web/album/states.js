// The states of a device towards an album, by the hub's refusals.

import { HubError } from '/keep.js';

/** The state that a refusal puts this device into; undefined if it stays as it is, as without a network. */
export function stateAfter(error, isInside) {
  if (!(error instanceof HubError)) return undefined;
  if (error.status === 410) return 'closed';
  if (isInside) return error.status === 401 ? 'removed' : undefined;
  return error.status === 404 && error.code !== 40401 ? 'wrong' : undefined;
}
