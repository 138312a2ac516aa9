// What rooms say where the hub speaks of all of them: who did what, what a role may do, what went wrong and why. Each
// room says so itself, in its room.js, of which bin/pack-web makes /rooms-parts.js; here it is one table for each.

import { parts } from '/rooms-parts.js';

const every = (name, to) => parts.map((part) => part[name]?.[to] ?? {});
const table = (name) => ({
  en: Object.assign({}, ...every(name, 'en')), de: Object.assign({}, ...every(name, 'de')),
});

export const audit = table('audit');
export const states = table('states');
export const errors = table('errors');
export const reasons = Object.assign({}, ...parts.map((part) => part.reasons ?? {}));

/** What a role may do in all rooms, as a list of words. */
export const duties = (role, to) => parts.flatMap((part) => part.duties?.[to][role] ?? []);

/** What rooms keep of a person, and is gone with them. */
export const removed = (to) => parts.flatMap((part) => part.removed?.[to] ?? []);
