// The choice of rooms as an owner changes it: worked out without a page, and sent to the hub.

import { HubError } from '/keep.js';
import { refreshRooms, ROOMS, tellRooms } from '/room-choice.js';
import { exchange } from '/session.js';

/** The choice without a room, or with it at the end. */
export const toggled = (choice, id) => ({
  ...choice, rooms: choice.rooms.includes(id) ? choice.rooms.filter((one) => one !== id) : [...choice.rooms, id],
});

/** The choice with another front room, which is shown and stands first. */
export const withFront = ({ rooms }, id) => ({ rooms: [id, ...rooms.filter((one) => one !== id)], front: id });

/** The choice with a room one place up (-1) or down (1). The front room stays first, and a room within the list. */
export function moved({ rooms, front }, id, by) {
  const others = rooms.filter((one) => one !== front);
  const at = others.indexOf(id);
  const to = at + by;
  if (at < 0 || to < 0 || to >= others.length) return { rooms, front };
  [others[at], others[to]] = [others[to], others[at]];
  return { rooms: [front, ...others], front };
}

/** What is chosen, with its tag: {choice, tag}. */
export async function fetchChoice() {
  const { answer, tag } = await exchange('GET', ROOMS);
  const { rooms, front } = answer;
  // The order is told by the list alone: whoever is seen first stands first in it.
  return { choice: withFront({ rooms }, front), isChosen: answer.chosen, tag };
}

/** Saves a choice that began with the version of that tag; {conflict: true} where somebody else has chosen since. */
export async function saveChoice({ rooms, front }, tag) {
  try {
    const { answer, tag: now } = await exchange('PUT', ROOMS, { rooms, front }, tag);
    tellRooms(answer);
    await refreshRooms(); // over the service worker, which notes what is at "/"
    return { tag: now };
  } catch (error) {
    if (error instanceof HubError && error.status === 412) return { conflict: true };
    throw error;
  }
}
