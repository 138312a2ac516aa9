// What comes when the list can be read: the rules that say what is shown of each notification beside its texts, the
// answers, and the cards beside and below the list.

import { signal } from '/ui.js';
import { fetchRules } from '/bells/rules.js';

const AGAIN = 5_000; // milliseconds until what could not be loaded is asked for once more

/** The parts of the page that come late (beside.js); null until they are there. */
export const beside = signal(null);

export async function bringBeside() {
  fetchRules();
  const them = await import('/bells/beside.js').catch(() => null);
  if (them) beside.set(them);
  else setTimeout(bringBeside, AGAIN);
}
