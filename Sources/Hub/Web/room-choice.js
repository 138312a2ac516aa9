// Which rooms this hub shows, in the owner's order, and which of them is the front room, at "/". What the hub said last
// is kept on this device and known before anything is drawn, so that nothing moves and it holds without a network.

import { computed, signal } from '/ui.js';
import { whenQuiet } from '/offline.js';
import { rooms } from '/rooms.js';
import { load } from '/session.js';

export const ROOMS = '/api/v1/rooms';
const KEPT = 'eightbells-rooms';
const FOLLOWED = 'eightbells-front'; // the front room for which this page was loaded anew
const FRESH = 10_000; // milliseconds in which a page may still become another: nobody has begun with it

/** The room whose page this is; undefined on the hub's own pages. */
export const roomHere = globalThis.document?.documentElement.dataset.room;

const isFront = () => roomHere !== undefined && location.pathname === '/';

function kept() {
  let found;
  try {
    found = JSON.parse(localStorage.getItem(KEPT));
  } catch { // no storage, or nothing of ours in it
  }
  if (!Array.isArray(found?.rooms)) found = { rooms: rooms.map(({ id }) => id), front: rooms[0]?.id };
  return isFront() ? { ...found, front: roomHere } : found;
}

/** {rooms: ids in their order, front: one of them}. */
const choice = signal(kept());

/** The rooms that are shown, each with its address: the front room first, then the others in the owner's order. */
export function shownOf({ rooms: ids, front }, all) {
  const known = [front, ...ids.filter((id) => id !== front)].map((id) => all.find((room) => room.id === id))
    .filter(Boolean);
  const [first, ...others] = known.length ? known : all; // of another version of the hub, perhaps
  return [{ ...first, page: '/' }, ...others.map((room) => ({ ...room, page: `/${room.id}` }))];
}

export const shownRooms = computed(() => shownOf(choice(), rooms));

/** Whether this is the page of the front room, at whichever address. */
export const isFrontRoom = computed(() => shownRooms()[0].id === roomHere);

function follow(front) {
  try {
    if (!isFront() || front === roomHere) return void sessionStorage.removeItem(FOLLOWED);
    // Once for each: where nothing can be kept, the same page might come again.
    if (sessionStorage.getItem(FOLLOWED) === front) return;
    sessionStorage.setItem(FOLLOWED, front);
  } catch { // no storage: nothing was kept that could be out of date
    return;
  }
  const reload = () => location.reload();
  if (performance.now() < FRESH) reload();
  else whenQuiet(reload);
}

/** The hub has said what is shown. */
export function tellRooms({ rooms: ids, front }) {
  const next = { rooms: ids, front };
  if (JSON.stringify(next) !== JSON.stringify(choice.peek())) choice.set(next);
  try {
    localStorage.setItem(KEPT, JSON.stringify(next));
  } catch { // as above
  }
  follow(front);
}

/** Asks the hub what is shown. */
export const refreshRooms = () => load(ROOMS).then(tellRooms, () => {}); // without a network it stays as it was

/** Hears over a page's live line when an owner chooses otherwise. */
export const followRooms = (live) => live.listen('hub', {
  onevent: (name) => { if (name === 'rooms') refreshRooms(); },
});
