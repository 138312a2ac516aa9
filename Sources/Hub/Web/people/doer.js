// Whom an entry of the audit names.

import { rooms } from '/rooms.js';
import { words } from '/people/words.js';

/** Who did it. Names are chosen freely: whoever is no person of the club is told as what they are. */
export function doer({ by, who }) {
  if (by === 'command') return words.commandLine;
  if (by === 'guest') return words.guest(who);
  if (by === 'room') return rooms.find(({ id }) => id === who)?.name ?? words.hub;
  return who;
}
