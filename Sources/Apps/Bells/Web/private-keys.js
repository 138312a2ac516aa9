// The keys of private messages on this device: beside the answers that only the signed-in person was given, so
// that signing out forgets them. For pages and the service worker.

import { keepAnswer, recall } from '/keep.js';
import { emptyRing, keyOfRing } from '/bells/key-ring.js';

const NAME = 'bells-private-keys';

export const keptRing = async () => (await recall(NAME))?.body ?? emptyRing;

/** Changes the ring on the device; returns the new one. */
export async function changeRing(change) {
  const ring = await change(await keptRing());
  await keepAnswer(NAME, ring, true);
  return ring;
}

/** The bytes of a key, for `open`. */
export const keptKey = async (id) => keyOfRing(await keptRing(), id);
