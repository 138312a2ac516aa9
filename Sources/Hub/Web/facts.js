// The facts that rooms add to those about the place, at the foot of its page: the age of their data, and problems.

import { signal } from '/ui.js';

/** In the order in which they were added. */
export const addedFacts = signal([]);

/** {name, isThere, text, problems}; all but the name are functions, called again when the signals they read change. */
export const addFact = (fact) => addedFacts.set([...addedFacts.peek(), fact]);
