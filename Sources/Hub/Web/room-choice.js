// The rooms that this hub shows, in the owner's order, and the front room at "/". The last known choice is stored on
// this device and read before the first paint, so that nothing moves and it works without a network.

import { computed, effect, signal } from '/ui.js';
import { remember, remembered } from '/keep.js';
import { whenQuiet } from '/offline.js';
import { rooms } from '/rooms.js';
import { load, may, same } from '/session.js';

export const ROOMS = '/api/v1/rooms';
const KEPT = 'eightbells-rooms';
const FOLLOWED = 'eightbells-front'; // the front room for which this page was reloaded
const FRESH = 10_000; // milliseconds in which a page may still be replaced, since nobody has begun to use it

const { dataset = {} } = globalThis.document?.documentElement ?? {};

/** The id of this page's room; undefined on the hub's own pages. */
export const roomHere = dataset.room;

const isFront = () => roomHere !== undefined && location.pathname === '/';

function kept() {
  let found = remembered(KEPT);
  if (!Array.isArray(found?.rooms)) { // the first visit: the hub names the rooms in the page if some are hidden
    const ids = dataset.rooms?.split(' ') ?? rooms.map(({ id }) => id);
    found = { rooms: ids, front: ids[0] };
  }
  return isFront() ? { ...found, front: roomHere } : found;
}

/** {rooms: ids in their order, front: one of them}. */
const choice = signal(kept());

/** The rooms shown, each with its address: the front room first, then the others in the owner's order. */
function shownOf({ rooms: ids, front }, all) {
  const known = [front, ...ids.filter((id) => id !== front)].map((id) => all.find((room) => room.id === id))
    .filter(Boolean);
  const [first, ...others] = known.length ? known : all; // the choice may be of another version of the hub
  return [{ ...first, page: '/' }, ...others.map((room) => ({ ...room, page: `/${room.id}` }))];
}

const ordered = computed(() => shownOf(choice(), rooms));

/** Those of them that are of use to the reader: a room's `right` is what one needs there. */
export const shownRooms = computed(() => ordered().filter(({ right }) => !right || may(right)));

/** True if a room may have parts on this page: the owner shows it, or it is the page's own. */
export const hasParts = (id) => id === roomHere || ordered().some((room) => room.id === id);

/** True of a room that the owner hides. */
export const isHidden = (id) => rooms.some((room) => room.id === id) && !hasParts(id);

// The parts of a room that the owner hides leave the pages of others, before their elements are made; comments stand in
// their places until it is shown again.
const parts = (roomHere ? [...document.querySelectorAll('main [data-of]')] : [])
  .map((part) => [part, document.createComment('')]);
effect(() => {
  for (const [part, mark] of parts) {
    const isThere = hasParts(part.dataset.of);
    if (isThere && mark.isConnected) mark.replaceWith(part);
    else if (!isThere && part.isConnected) part.replaceWith(mark);
  }
});

/** True if this is the page of the front room, at whichever address. */
export const isFrontRoom = computed(() => ordered()[0].id === roomHere);

function follow(front) {
  try {
    if (!isFront() || front === roomHere) return void sessionStorage.removeItem(FOLLOWED);
    // Only once for each room: without storage, the same page might come again and again.
    if (sessionStorage.getItem(FOLLOWED) === front) return;
    sessionStorage.setItem(FOLLOWED, front);
  } catch { // without storage nothing outdated was stored
    return;
  }
  const reload = () => location.reload();
  if (performance.now() < FRESH) reload();
  else whenQuiet(reload);
}

/** Takes the hub's choice. */
export function tellRooms({ rooms: ids, front }) {
  const next = { rooms: ids, front };
  if (!same(next, choice.peek())) choice.set(next);
  remember(KEPT, next);
  follow(front);
}

/** Fetches the hub's choice. */
export const refreshRooms = () => load(ROOMS).then(tellRooms, () => {}); // without a network it stays

/** Follows changes of the choice over a page's live connection. */
export const followRooms = (live) => live.listen('hub', {
  onevent: (name) => { if (name === 'rooms') refreshRooms(); },
});
