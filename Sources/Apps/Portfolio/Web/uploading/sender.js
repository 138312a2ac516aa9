// What this device sends to a portfolio: the queue that all rooms with uploads have, with this room's addresses.

import { remember, remembered } from '/keep.js';
import { change, load } from '/session.js';
import { send } from '/uploads/sending.js';
import { Tus } from '/uploads/tus.js';
import { originalsHere, queueHere, wakeQueue } from '/uploads/waking.js';
import { forgetOthers, isSendable, personHere, sendingAs } from '/uploads/whose.js';
import { PORTFOLIOS } from '/portfolio/library.js';

/** The database. It stays when a session ends: what was not sent yet waits until the same member is signed in. */
const DATABASE = 'eightbells-portfolio-uploads';
/** Its name in older pages, by which it went with the session (/keep.js), and a mark that nothing is in it any more. */
const BEFORE = 'eightbells-mine-portfolio-uploads';
const MOVED = 'eightbells-portfolio-uploads-moved';

const GONE = 40485; // or it is not the caller's any more
const NO_UPLOADS = 40992;

/** True if an older page has opened its database since the last move, as after a downgrade: it notes so. */
function isNoted() {
  try {
    return localStorage.getItem(BEFORE) !== null;
  } catch {
    return false;
  }
}

/** Takes over what older pages have left of whoever is signed in. */
async function moveOlder() {
  const person = await personHere();
  if (!person || (remembered(MOVED) && !isNoted())) return;
  const [before, now] = await Promise.all([BEFORE, DATABASE].map(originalsHere));
  if (before.isFleeting || now.isFleeting) return; // no storage
  for (const row of await before.all()) {
    // A row that ends an upload has no file.
    const file = row.size ? await before.source(row).slice(0, row.size) : new Blob([]);
    await now.add({ ...row, person }, file);
    await before.remove(row.id);
  }
  indexedDB.deleteDatabase(BEFORE);
  remember(BEFORE, null);
  remember(MOVED, 1);
}

/** Removes what others chose long ago. */
const tidy = async () => forgetOthers(await originalsHere(DATABASE), await personHere());

let moving;
function moved() {
  moving ??= moveOlder().then(tidy).catch((error) => console.warn(error)); // the next page tries it again
  return moving;
}

/** Where files wait on this device, with those that older pages have left. */
async function originals() {
  await moved();
  return originalsHere(DATABASE);
}

/** The rows of whoever is signed in. */
async function rowsIn(kept) {
  const person = await personHere();
  return (await kept.all()).filter((row) => isSendable(row, person));
}

/** The ids of the portfolios for which files wait on this device. */
export async function waiting() {
  const rows = await rowsIn(await originals()).catch(() => []);
  return [...new Set(rows.map(({ album }) => album))];
}

/** Removes the files that wait for a portfolio, if the hub says that there is none: nobody could send them any more. */
export async function forgetDeleted(portfolio) {
  const answer = await load(`${PORTFOLIOS}/${encodeURIComponent(portfolio)}`).catch((error) => error);
  if (answer.code !== GONE) return;
  const kept = await originals();
  for (const { id, album } of await rowsIn(kept)) if (album === portfolio) await kept.remove(id);
}

/** The queue of a portfolio. It lasts as long as the page. */
export async function queueOf(portfolio) {
  const address = `${PORTFOLIOS}/${encodeURIComponent(portfolio)}`;
  const person = await personHere();
  await moved();
  const { queue, lease, others } = await queueHere({
    database: DATABASE,
    name: `portfolio-${portfolio}`,
    channel: `portfolio-queue-${portfolio}`,
    place: portfolio,
    stopping: [GONE, NO_UPLOADS],
    noted: () => ({ person }),
    isOurs: (row) => isSendable(row, person),
    known: async () => ({}), // the hub finds by itself that it has the same bytes
    remove: (picture) => change('DELETE', `${address}/pictures/${encodeURIComponent(picture)}`),
    tus: new Tus({
      address: () => `${address}/uploads`, headers: () => ({}), send: sendingAs(person, send), hasPreviews: false,
    }),
  });
  if (others) others.onmessage = () => queue.restore();
  wakeQueue(queue, lease);
  await queue.restore();
  return queue;
}
