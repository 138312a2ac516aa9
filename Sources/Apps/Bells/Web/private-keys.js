// The keys of private messages on this device: beside the answers that only the signed-in person was given, so
// that signing out forgets them. For pages and the service worker.

import { keepAnswer, lookUp } from '/keep.js';
import { emptyRing, KeyRefused, keyOfRing } from '/bells/key-ring.js';

const NAME = 'bells-private-keys';

export const keptRing = async () => (await lookUp(NAME))?.body ?? emptyRing;

/** Changes the ring on the device; returns the new one. Refuses a key that the next page would not have any more. */
export async function changeRing(change) {
  const ring = await change(await keptRing());
  if (await keepAnswer(NAME, ring, true) === undefined) throw new KeyRefused('unkept');
  return ring;
}

/** The bytes of a key, for `open`. */
export const keptKey = async (id) => keyOfRing(await keptRing(), id);
