// The browser's parts for an album's queue, and when it goes on: at once after a change of the network, and when
// somebody looks at the page again.

import { computed, effect, ending, listening } from '/ui.js';
import { ASKS, channelOf, DATABASE, goesOnWithout, HERE } from '/albums/album/background.js';
import { pairsOf } from '/albums/album/gallery/halves.js';
import { CROWDED, STOPPING } from '/albums/album/states.js';
import { fileOf, Originals } from '/uploads/originals.js';
import { ENDING } from '/uploads/queue.js';
import { queueHere, wakeQueue } from '/uploads/waking.js';
import { send } from '/uploads/sending.js';
import { Tus } from '/uploads/tus.js';
import { forgetOthers, isSendable, personHere, sendingAs } from '/uploads/whose.js';

const SHOWN = 6_000; // milliseconds for which the queue says that all are there

/** The rows of whoever uses this device now: those of a member who has signed out wait for them. */
async function rowsHere(originals) {
  const person = await personHere();
  return (await originals.all()).filter((row) => isSendable(row, person));
}

/** The pictures on this device that were not sent, by the ids of their albums. */
export async function waitingByAlbum() {
  const counts = new Map();
  const rows = await rowsHere(new Originals(DATABASE)).catch(() => []);
  for (const { album, state } of rows) if (state !== ENDING) counts.set(album, (counts.get(album) ?? 0) + 1);
  return counts;
}

/** {rows, fileOf}: what waits on this device for an album, and what reads the file of one. */
export async function waitingFor(id) {
  const originals = new Originals(DATABASE);
  const rows = (await rowsHere(originals)).filter(({ album, state }) => album === id && state !== ENDING);
  return { rows, fileOf: (row) => fileOf(originals, row) };
}

/** Forgets what waits on this device for an album that it is not in any more. */
export async function forgetWaiting(id) {
  const originals = new Originals(DATABASE);
  for (const row of await rowsHere(originals)) if (row.album === id) await originals.remove(row.id);
}

/** The queue of an album, for as long as the element that is being made. */
export async function queueOf(album) {
  const member = await personHere();
  const person = album.token && !album.entry.peek().isMembers ? undefined : member;
  forgetOthers(new Originals(DATABASE), member).catch((error) => console.warn(error));
  const { queue, lease, others } = await queueHere({
    database: DATABASE,
    name: album.id,
    channel: channelOf(album.id),
    place: album.id,
    pairs: pairsOf,
    stopping: STOPPING,
    crowded: CROWDED,
    known: async (sha256) => (await album.ask('POST', '/known', { sha256 })).known,
    remove: (id) => album.remove(id),
    noted: () => ({ token: album.token, person }),
    isOurs: (row) => isSendable(row, person),
    tus: new Tus({
      address: () => album.address('/uploads'), headers: () => album.authorization, send: sendingAs(person, send),
    }),
  });
  if (others) {
    others.onmessage = ({ data }) => {
      if (data === ASKS) others.postMessage(HERE);
      else if (data !== HERE) queue.restore();
    };
  }
  return { queue, lease, others };
}

/** Wakes the queue whenever it may go on. */
export function keepSending(album, { queue, lease, others }) {
  wakeQueue(queue, lease);
  effect(() => { if (album.line() === 'live') queue.wake(); }); // the hub is there again
  const isOpen = computed(() => album.details()?.state === 'open');
  effect(() => { if (isOpen()) queue.wake(); }); // so is the album
  let timer;
  effect(() => {
    clearTimeout(timer);
    const { left, done: sent } = queue.progress();
    const clear = () => {
      if (document.querySelector('.queue-sheet[open]')) timer = setTimeout(clear, SHOWN); // somebody looks at one
      else queue.clear();
    };
    if (left === 0 && sent > 0) timer = setTimeout(clear, SHOWN);
  });
  const isLeft = computed(() => queue.progress().left > 0);
  const goOn = () => {
    if (isLeft() && !queue.isFleeting()) goesOnWithout().then((isSo) => queue.goesOn.set(isSo));
  };
  effect(goOn);
  // The room that was asked for before may have been used up while this page was sending.
  listening(document, ['visibilitychange'], () => { if (document.hidden) goOn(); });
  ending(() => {
    clearTimeout(timer);
    others?.close();
  });
}
