// What the rooms say of themselves outside of their pages: in the navigation a lamp, a line, and whether something
// rings there; on a front room a card. A room tells it on its own pages, and on front rooms by the module that its
// room.js names as its parts' `tells`; elsewhere it is not known, and nothing is shown rather than something old.

import { signal } from '/ui.js';

const states = signal(new Map());

/**
 * {lamp: 'good' | 'closed' | 'over' | 'unknown' | 'warn' | 'bad', text, rings, card, plate}, or undefined. The card is
 * the room's part of a front room: {says, more, lines: [{when, what, to}]}; the plate is what comes next, for a room
 * that shows it below something of its own: {when, what, isNow, until, by, isWanted, to}.
 */
export const stateOf = (id) => states().get(id);

/** `text` has at most 22 letters, as the navigation is narrow. */
export function tellState(id, state) {
  if (JSON.stringify(states.peek().get(id)) === JSON.stringify(state)) return;
  states.set(new Map(states.peek()).set(id, state));
}
