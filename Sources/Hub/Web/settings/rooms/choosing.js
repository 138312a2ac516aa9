// The logic of the choice of rooms, without a page, and its requests to the hub.

import { HubError } from '/keep.js';
import { refreshRooms, ROOMS, tellRooms } from '/room-choice.js';
import { exchange } from '/session.js';

/** The choice without a room, or with it at the end. */
export const toggled = (choice, id) => ({
  ...choice, rooms: choice.rooms.includes(id) ? choice.rooms.filter((one) => one !== id) : [...choice.rooms, id],
});

/** The choice with another front room, which is shown first. */
export const withFront = ({ rooms }, id) => ({ rooms: [id, ...rooms.filter((one) => one !== id)], front: id });

/** The choice with a room one place up (-1) or down (1). The front room stays first. */
export function moved({ rooms, front }, id, by) {
  const others = rooms.filter((one) => one !== front);
  const at = others.indexOf(id);
  const to = at + by;
  if (at < 0 || to < 0 || to >= others.length) return { rooms, front };
  [others[at], others[to]] = [others[to], others[at]];
  return { rooms: [front, ...others], front };
}

/** The current choice, with its tag: {choice, tag}. */
export async function fetchChoice() {
  const { answer, tag } = await exchange('GET', ROOMS);
  const { rooms, front } = answer;
  // The order is that of the list, with the front room first.
  return { choice: withFront({ rooms }, front), isChosen: answer.chosen, tag };
}

/** Saves a choice based on the version of that tag; {conflict: true} if somebody else has changed it since. */
export async function saveChoice({ rooms, front }, tag) {
  try {
    const { answer, tag: now } = await exchange('PUT', ROOMS, { rooms, front }, tag);
    tellRooms(answer);
    await refreshRooms(); // through the service worker, which records the front room
    return { tag: now };
  } catch (error) {
    if (error instanceof HubError && error.status === 412) return { conflict: true };
    throw error;
  }
}
