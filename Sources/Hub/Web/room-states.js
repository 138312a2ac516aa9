// The rooms' states outside of their own pages: in the navigation a lamp, a line, and an alarm; on a front room a card.
// A room sets its state on its own pages, and on front rooms by the module that its room.js names as `tells`; elsewhere
// it is unknown, and nothing outdated is shown.

import { signal } from '/ui.js';

const states = signal(new Map());

/**
 * A room's state: {lamp: 'good' | 'closed' | 'over' | 'unknown' | 'warn' | 'bad', text, rings, card, plate}, or
 * undefined. The card is the room's part of a front room: {says, more, lines: [{when, what, to}]}; the plate is the
 * next event, for a room that shows it below its own content: {when, what, isNow, until, by, isWanted, to,
 * opensAt}, the last of these with somebody who opens then.
 */
export const stateOf = (id) => states().get(id);

/** Sets a room's state. `text` has at most 22 characters, since the navigation is narrow. */
export function tellState(id, state) {
  if (JSON.stringify(states.peek().get(id)) === JSON.stringify(state)) return;
  states.set(new Map(states.peek()).set(id, state));
}
