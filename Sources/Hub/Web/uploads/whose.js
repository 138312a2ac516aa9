// Whose a file is that waits on this device: a member's waits until the same member is signed in, since somebody else
// would send it as their own.

import { HubError, lookUp } from '/keep.js';

const LONGEST = 30 * 86_400_000; // milliseconds in which other members' files wait here: theirs may never come back

/** The id of the member who is signed in on this device; undefined for nobody. */
export const personHere = async () => (await lookUp('session'))?.body?.person?.id;

/** True if a row may be sent on this device now. A guest's has no member, and goes with its token. */
export const isSendable = (row, person) => !row.person || row.person === person;

/**
 * Removes what others than this member chose long ago: nobody else could see that it fills the device, and its member
 * may be gone.
 */
export async function forgetOthers(originals, person, now = Date.now()) {
  if (!person) return;
  for (const row of await originals.all()) {
    if (!isSendable(row, person) && row.order < now - LONGEST) await originals.remove(row.id);
  }
}

/** `send` for the files of one member: 401, and nothing is sent, once another tab has signed them out. */
export const sendingAs = (person, send) => async (request) => {
  if (person && (await personHere()) !== person) throw new HubError(401);
  return send(request);
};
