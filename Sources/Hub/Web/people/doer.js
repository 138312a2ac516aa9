// The author of an audit entry, in words.

import { rooms } from '/rooms.js';
import { words } from '/people/words.js';

/** The author's name, or the kind of author if it is not a person of the club, since names are chosen freely. */
export function doer({ by, who }) {
  if (by === 'command') return words.commandLine;
  if (by === 'guest') return words.guest(who);
  if (by === 'room') return rooms.find(({ id }) => id === who)?.name ?? words.hub;
  return who;
}
