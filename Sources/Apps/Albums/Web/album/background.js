// Sends what waits on this device without a page: the browser wakes the service worker when there is a network
// (Background Sync, which Chromium has). A page that is open sends itself; the worker asks for one before each picture.

import { CROWDED, STOPPING } from '/albums/album/states.js';
import { isLost } from '/uploads/originals.js';
import { isGone, metadataOfItem, Tus, upload } from '/uploads/tus.js';
import { verdict } from '/uploads/retrying.js';
import { isSendable, personHere } from '/uploads/whose.js';

/** The database of what waits on this device. */
export const DATABASE = 'eightbells-albums';

/** The name under which the browser is asked to wake the worker. */
export const TAG = 'albums-queue';

/** Messages between tabs and the worker: whether a page sends, and that one does. Any other tells of a change. */
export const ASKS = 'who sends?';
export const HERE = 'a page';

const ALBUMS = '/api/v1/albums';

/** The name of an album's BroadcastChannel. */
export const channelOf = (album) => `albums-queue-${album}`;

/** Asks the browser to go on without a page. Resolved with true if it will. */
export async function goesOnWithout() {
  try {
    const registration = await navigator.serviceWorker.ready;
    await registration.sync.register(TAG);
    return true;
  } catch { // no HTTPS, another browser, or not allowed
    return false;
  }
}

/** States of rows that a page goes on with: one was refused, of the other the upload is to be ended. */
const ABOUT_PAGES = ['failed', 'ending'];

const order = (one, other) => one.order - other.order;

/**
 * Sends the pictures of all albums, one after the other. `world`: {originals, send, isAlone(album), tell(album),
 * person()}; the promise of `isAlone` is false while a page of the album sends itself. Resolved with the number of
 * those that are left and could be sent later.
 */
export async function sendWaiting({ originals, send, isAlone, tell, person = personHere, random = Math.random }) {
  const stopped = new Set(); // albums that take nothing just now
  let left = 0;
  let rows = (await originals.all()).filter(({ state }) => !ABOUT_PAGES.includes(state)).sort(order);
  while (rows.length) {
    const row = rows.shift();
    if (row.soundFor && !row.soundOf) continue; // goes with its picture
    if (!isSendable(row, await person())) continue;
    if (stopped.has(row.album) || !(await isAlone(row.album))) {
      stopped.add(row.album);
      left += 1;
      continue;
    }
    if (!(await originals.has(row.id))) continue; // taken back meanwhile
    const tus = new Tus({
      address: () => `${ALBUMS}/${row.album}/uploads`, send,
      headers: () => (row.token ? { Authorization: `Bearer ${row.token}` } : {}),
    });
    try {
      const picture = await upload(tus, originals.source(row), {
        location: row.location, metadata: metadataOfItem(row), preview: row.preview,
        onlocation: (location) => originals.change(row.id, { location }),
      });
      const sounds = rows.filter(({ soundFor }) => soundFor === row.id);
      for (const sound of sounds) await originals.change(sound.id, { soundOf: picture });
      rows = rows.map((one) => (sounds.includes(one) ? { ...one, soundOf: picture } : one));
      await originals.remove(row.id);
    } catch (error) {
      const { kind } = verdict(error, 0, { stopping: STOPPING, crowded: CROWDED, random });
      if (kind === 'refused' && row.soundOf && isGone(error)) {
        await originals.remove(row.id); // it goes with its picture
      } else if (kind === 'refused') {
        const { status, code, message, help } = error;
        await originals.change(row.id, { state: 'failed', error: { kind, status, code, message, help } });
      } else if (kind === 'network' && await isLost(originals, row)) {
        console.warn(error); // a page says so; the others go on
      } else if (kind !== 'room' && kind !== 'full') { // where there is none for one, a smaller one may fit
        if (kind !== 'stopped') left += 1; // else somebody has to act
        stopped.add(row.album);
      }
    }
    tell(row.album);
  }
  return left;
}
