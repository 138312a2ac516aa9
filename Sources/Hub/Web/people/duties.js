// What a role may do in the hub and its rooms, in words. The rooms' words are many: pages that say none do without
// them.

import { duties } from '/rooms-words.js';
import { language, told } from '/people/told.js';
import { listed } from '/words.js';

/** The rights of a role, as a list of words. */
export const dutiesOf = (role) => (told.duties[role] ? [told.duties[role]] : duties(role, language));
export const duty = (role) => listed(dutiesOf(role), language);
