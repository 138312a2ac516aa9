// The programme on a page; bin/packing/rooms.py puts it beside the parts of other rooms.

import { effect } from '/ui.js';
import { unreachable } from '/live.js';
import { place } from '/place.js';
import { followChoice } from '/programme/choice.js';
import { startFavourites } from '/programme/favourites.js';
import { programme, start } from '/programme/model.js';
import { startOpeners } from '/programme/openers.js';
import { followAddress } from '/programme/route.js';
import { followPlace } from '/programme/scroll.js';

const PATIENCE = 2_000; // milliseconds to wait for the programme, so that it is drawn without a layout shift

async function prepare() {
  followChoice();
  await Promise.all([followPlace(), startFavourites(), startOpeners()]);
}

/** Resolved when the programme is known, from the hub or from this device, or will not come soon. */
const ready = () => new Promise((resolve) => {
  setTimeout(resolve, PATIENCE);
  effect(() => { if (programme() !== undefined || place() === null || unreachable()) resolve(); });
});

export const part = { begin: followAddress, start, prepare, ready };
