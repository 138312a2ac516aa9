// What this device sends to a portfolio: the queue that all rooms with uploads have, with this room's addresses.

import { change } from '/session.js';
import { realClock } from '/realtime.js';
import { Hasher } from '/uploads/hashing.js';
import { Lease } from '/uploads/lease.js';
import { previewOf } from '/uploads/preview.js';
import { Queue } from '/uploads/queue.js';
import { send } from '/uploads/sending.js';
import { Tus } from '/uploads/tus.js';
import { originalsHere, wakeQueue } from '/uploads/waking.js';
import { PORTFOLIOS } from '/portfolio/library.js';

/** The database. Its beginning says that it belongs to whoever is signed in: /keep.js deletes it when they sign out. */
const DATABASE = 'eightbells-mine-portfolio-uploads';

// The portfolio is gone, is not the caller's any more, or takes no uploads.
const STOPPING = [40485, 40992];

/** The ids of the portfolios for which files wait on this device. */
export async function waiting() {
  const rows = await (await originalsHere(DATABASE)).all().catch(() => []);
  return [...new Set(rows.map(({ album }) => album))];
}

/** The queue of a portfolio. It lasts as long as the page. */
export async function queueOf(portfolio) {
  const lease = new Lease(`portfolio-${portfolio}`);
  const hasher = new Hasher();
  const others = globalThis.BroadcastChannel && new BroadcastChannel(`portfolio-queue-${portfolio}`); // other tabs
  const address = `${PORTFOLIOS}/${encodeURIComponent(portfolio)}`;
  const queue = new Queue({
    place: portfolio,
    originals: await originalsHere(DATABASE),
    clock: realClock,
    random: Math.random,
    stopping: STOPPING,
    mayRun: () => lease.take(),
    tell: () => others?.postMessage(null),
    prepare: previewOf,
    hash: (source) => hasher.hash(source),
    known: async () => ({}), // the hub finds by itself that it has the same bytes
    remove: (picture) => change('DELETE', `${address}/pictures/${encodeURIComponent(picture)}`),
    tus: new Tus({ address: () => `${address}/uploads`, headers: () => ({}), send, hasPreviews: false }),
  });
  lease.start(() => queue.wake());
  if (others) others.onmessage = () => queue.restore();
  wakeQueue(queue, lease);
  await queue.restore();
  return queue;
}
