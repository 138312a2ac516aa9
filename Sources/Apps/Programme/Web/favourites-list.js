// A visitor's favourite events, as stored on this device: what rows need to be drawn. /programme/favourites.js changes
// them.

import { computed, signal } from '/ui.js';
import { recall } from '/keep.js';
import { session } from '/session.js';

export const NAME = 'favourites';

/**
 * All lists on this device: `device` is that of nobody in particular, `people` has those of persons by their ids. The
 * list of a person who has signed out is set aside until somebody decides what becomes of it.
 */
export const lists = signal({ device: {}, people: {} });

/** The id of the signed-in person, null for nobody, undefined while unknown. */
export const person = computed(() => (session() === undefined ? undefined : session()?.person?.id ?? null));

/** The records of the current person, by the events' ids. */
export const list = computed(() => (person() ? lists().people[person()] : lists().device) ?? {});

/** The records {event, kept, at, seen} of the favourites, by the events' ids. */
export const favourites = computed(() => new Map(Object.entries(list()).filter(([, { kept }]) => kept)));

/** True until the hub has told this device the signed-in person's favourites: there may be more than it knows. */
export const isAwaited = computed(() => Boolean(person()) && !lists().people[person()]);

/** Shows the stored favourites. */
export async function recallFavourites() {
  const kept = await recall(NAME);
  if (kept) lists.set(kept.body);
}
