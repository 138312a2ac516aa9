// What rooms add to the facts of the place, at the foot of its page: how old what they show is, and what is wrong
// with it.

import { signal } from '/ui.js';

/** In the order in which they came. */
export const addedFacts = signal([]);

/** {name, isThere, text, problems}; all but the name are called again when what they read changes. */
export const addFact = (fact) => addedFacts.set([...addedFacts.peek(), fact]);
