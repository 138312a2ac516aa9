// An entry of the audit as a sentence.

import { dated } from '/moments.js';
import { now, zone } from '/place.js';
import { rooms } from '/rooms.js';
import { audit, states } from '/rooms-words.js';
import { deviceName, language, told } from '/people/told.js';
import { doer } from '/people/doer.js';
import { ROLES } from '/people/roles.js';
import { words } from '/people/words.js';

/** The hub's states and roles are in English; "Ada: member, keykeeper" means from the first to the second. */
const NAMED = new RegExp(`(^|: |, )(${ROLES.join('|')})(?=$|, )`, 'g');
/** Its times are for programs, such as that of an event for which somebody opens. */
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)/g;
const timed = (about) => about.replace(TIME, (time) => dated(Date.parse(time), now.peek(), zone()));
const inWords = (about) => states[language][about] ?? deviceName(timed(about)).replace(
  NAMED, (all, before, role) => `${before === ', ' ? ' → ' : before}${told.roles[role]}`);

/** An entry as a sentence. Unknown actions are shown by the hub's own name. */
export function sentence({ by, who, what, about }) {
  const known = words.what[what] ?? audit[language][what];
  const name = doer({ by, who });
  const room = what === 'rooms.shown' && rooms.find(({ id }) => id === about)?.name;
  if (known) return known(name, room || inWords(about ?? ''));
  return words.did(name, `${what}${about ? `: ${timed(about)}` : ''}`);
}
