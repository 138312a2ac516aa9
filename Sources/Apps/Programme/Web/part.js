// The programme on a page; bin/packing/rooms.py puts it beside the parts of other rooms.

import { effect } from '/ui.js';
import { hubAhead } from '/keep.js';
import { unreachable } from '/live.js';
import { place } from '/place.js';
import { roomHere } from '/room-choice.js';
import { followChoice } from '/programme/choice.js';
import { recallFavourites } from '/programme/favourites-list.js';
import { programme, start, startNear, wholeProgramme } from '/programme/model.js';
import { followAddress, shown } from '/programme/route.js';
import { followPlace } from '/programme/scroll.js';

const PATIENCE = 2_000; // milliseconds to wait for the programme, so that it is drawn without a layout shift

async function prepare() {
  followChoice();
  await Promise.all([followPlace(), recallFavourites()]);
}

/** Resolved when this much of the programme is known, from the hub or from this device, or will not come soon. */
const when = (known) => new Promise((resolve) => {
  setTimeout(resolve, PATIENCE);
  effect(() => { if (known() !== undefined || place() === null || unreachable()) resolve(); });
});

/** True for the event at this address; for the list, for one that is to come. */
const isLookedFor = ({ id, status, end, start: from }) => (shown.peek() === null
  ? status !== 'cancelled' && Date.parse(end ?? from) > Date.now() + hubAhead() : id === shown.peek());

export const part = {
  begin: followAddress,
  start() {
    if (roomHere === 'programme' && location.search === '') startNear(isLookedFor);
    else start();
  },
  // The list is read first, but not a month, favourites or the results of a search.
  leads: () => shown.peek() === null && location.search === '',
  prepare,
  ready: () => when(programme),
  whole: () => when(wholeProgramme),
};
