// Whose a file is that waits on this device: a member's waits until the same member is signed in, since somebody else
// would send it as their own.

import { HubError, lookUp } from '/keep.js';

/** The id of the member who is signed in on this device; undefined for nobody. */
export const personHere = async () => (await lookUp('session'))?.body?.person?.id;

/** True if a row may be sent on this device now. A guest's has no member, and goes with its token. */
export const isSendable = (row, person) => !row.person || row.person === person;

/** `send` for the files of one member: 401, and nothing is sent, once another tab has signed them out. */
export const sendingAs = (person, send) => async (request) => {
  if (person && (await personHere()) !== person) throw new HubError(401);
  return send(request);
};
