// What this device sends to a portfolio: the queue that all rooms with uploads have, with this room's addresses.

import { change, load } from '/session.js';
import { send } from '/uploads/sending.js';
import { Tus } from '/uploads/tus.js';
import { originalsHere, queueHere, wakeQueue } from '/uploads/waking.js';
import { PORTFOLIOS } from '/portfolio/library.js';

/** The database. Its beginning says that it belongs to whoever is signed in: /keep.js deletes it when they sign out. */
const DATABASE = 'eightbells-mine-portfolio-uploads';

const GONE = 40485; // or it is not the caller's any more
const NO_UPLOADS = 40992;

/** The ids of the portfolios for which files wait on this device. */
export async function waiting() {
  const rows = await (await originalsHere(DATABASE)).all().catch(() => []);
  return [...new Set(rows.map(({ album }) => album))];
}

/** Removes the files that wait for a portfolio, if the hub says that there is none: nobody could send them any more. */
export async function forgetDeleted(portfolio) {
  const answer = await load(`${PORTFOLIOS}/${encodeURIComponent(portfolio)}`).catch((error) => error);
  if (answer.code !== GONE) return;
  const originals = await originalsHere(DATABASE);
  for (const { id, album } of await originals.all()) if (album === portfolio) await originals.remove(id);
}

/** The queue of a portfolio. It lasts as long as the page. */
export async function queueOf(portfolio) {
  const address = `${PORTFOLIOS}/${encodeURIComponent(portfolio)}`;
  const { queue, lease, others } = await queueHere({
    database: DATABASE,
    name: `portfolio-${portfolio}`,
    channel: `portfolio-queue-${portfolio}`,
    place: portfolio,
    stopping: [GONE, NO_UPLOADS],
    known: async () => ({}), // the hub finds by itself that it has the same bytes
    remove: (picture) => change('DELETE', `${address}/pictures/${encodeURIComponent(picture)}`),
    tus: new Tus({ address: () => `${address}/uploads`, headers: () => ({}), send, hasPreviews: false }),
  });
  if (others) others.onmessage = () => queue.restore();
  wakeQueue(queue, lease);
  await queue.restore();
  return queue;
}
