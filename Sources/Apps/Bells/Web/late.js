// What comes when the list can be read: the rules that say what is shown of each notification beside its texts, the
// answers, and the cards beside and below the list.

import { insist } from '/done.js';
import { signal } from '/ui.js';
import { fetchRules } from '/bells/rules.js';

/** The parts of the page that come late (beside.js); null until they are there. */
export const beside = signal(null);

export async function bringBeside() {
  fetchRules();
  beside.set(await insist(() => import('/bells/beside.js')));
}
