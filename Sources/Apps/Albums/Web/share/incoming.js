// What a phone's share sheet hands over: the service worker keeps it on this device until somebody has said into which
// album it goes. The manifest names the address and the field (Sources/Hub/Manifest.swift).

import { pairsOf } from '/albums/album/gallery/halves.js';
import { isTaken } from '/albums/kinds.js';
import { fileOf } from '/uploads/originals.js';

/** The page that asks for the album, and the address to which the share sheet posts. */
export const ADDRESS = '/albums/share';

/** The database of what was shared and has no album yet; by its name, keep.js deletes it when somebody signs out. */
export const SHARED = 'eightbells-mine-shared';

/** The field of the form with the files. */
export const FIELD = 'pictures';

const DAY = 86_400_000; // milliseconds after which what has no album yet goes

/** Pictures that wait for an album on one device: as many as one queue takes. */
export const MOST = 500;

/** What the page is told in its address about a share that was not kept whole; 'again' by the hub, to which it came. */
export const PROBLEMS = ['none', 'some', 'many', 'full', 'unread', 'again'];

/** The rows of all that wait for an album. What is older than a day is deleted, and what is from a later day. */
export async function waiting(originals, now = Date.now()) {
  const rows = await originals.all();
  const isOld = ({ order }) => Math.abs(now - order) > DAY;
  for (const { id } of rows.filter(isOld)) await originals.remove(id);
  return rows.filter((row) => !isOld(row));
}

/**
 * Keeps the pictures of a share. Resolved with the address of the page to be shown: with one of PROBLEMS behind it if
 * there were none, some files were none or could not be read, there were more than there is room for, or the device
 * is full.
 */
export async function keepShared(form, originals, { now = Date.now(), newID = () => crypto.randomUUID() } = {}) {
  const shared = form.getAll(FIELD).filter((one) => one.name); // a form without files sends one without a name
  const files = shared.filter((one) => one.size > 0 && isTaken(one));
  const told = (problem) => `${ADDRESS}${problem ? `#${problem}` : ''}`;
  if (!files.length) return told('none');
  const pairs = pairsOf(files, newID); // here, since an album's queue may have room for one half of a live photo alone
  const before = await waiting(originals, now);
  const room = MOST - before.length;
  const from = Math.max(now, ...before.map(({ order }) => Math.floor(order) + 1)); // the clock may have been set
  let isUnread = false; // such as one that lies in a cloud, whose phone has no network
  for (const [index, file] of files.slice(0, Math.max(0, room)).entries()) {
    const { name, type, size } = file;
    try {
      await originals.add({ id: newID(), order: from + index / 1_000, name, type, size, pair: pairs.get(file) }, file);
    } catch (error) {
      if (error?.name === 'QuotaExceededError') return told('full');
      console.warn(error);
      isUnread = true;
    }
  }
  if (isUnread) return told('unread');
  return told(files.length > room ? 'many' : files.length < shared.length && 'some');
}

/**
 * Answers the share sheet's request, which must not be sent to the hub: a page is opened with what was kept. A page of
 * another site can post the same form; nothing of it is kept, unless it hides from where it comes.
 */
export async function answerShare(request, originals) {
  const { origin } = new URL(request.url);
  const isForeign = /^https?:/.test(request.referrer) && new URL(request.referrer).origin !== origin;
  const address = isForeign ? `${ADDRESS}#none` : await request.formData().then((form) => keepShared(form, originals))
    .catch((error) => { // else the browser shows a page of its own that tells of no network
      console.warn(error);
      return `${ADDRESS}#again`;
    });
  return Response.redirect(new URL(address, request.url), 303);
}

/**
 * The pictures of the newest share that waits for an album, as files, in their order: [{id, pair, file}]. However old
 * it seems: the clock may have been set since it was kept, a moment ago.
 */
export async function sharedFiles(originals) {
  const all = await originals.all();
  const shareOf = ({ order }) => Math.floor(order); // its millisecond: see keepShared
  const newest = Math.max(...all.map(shareOf));
  const rows = all.filter((row) => shareOf(row) === newest).sort((one, other) => one.order - other.order);
  const found = [];
  for (const row of rows) found.push({ id: row.id, pair: row.pair, file: await fileOf(originals, row) });
  return found;
}

/**
 * Puts all into an album's queue, one after the other, and lets go of each when the queue has kept it. Resolved with
 * {left, why}: the number of those that are still here, and 'many' or 'full' if there are some (see Queue.take).
 */
export async function handOver(shared, queue, originals) {
  for (const [index, { id, pair, file }] of shared.entries()) {
    const why = await queue.take(file, { pair });
    if (why !== 'kept') return { left: shared.length - index, why };
    await originals.remove(id);
  }
  return { left: 0 };
}
