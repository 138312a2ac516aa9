// What the rooms say of themselves in the navigation: a lamp, a line, and whether something rings there. A room tells
// it on its own pages; on others it is not known, and nothing is shown rather than something old.

import { signal } from '/ui.js';

const states = signal(new Map());

/** {lamp: 'good' | 'closed' | 'over' | 'unknown' | 'warn' | 'bad', text, rings}, or undefined. */
export const stateOf = (id) => states().get(id);

/** `text` has at most 22 letters, as the navigation is narrow. */
export function tellState(id, state) {
  if (JSON.stringify(states.peek().get(id)) === JSON.stringify(state)) return;
  states.set(new Map(states.peek()).set(id, state));
}
