// The rooms' words for lists of the hub: the audit, rights of roles, errors and reasons. Each room has its own in its
// room.js, from which bin/pack-web makes /rooms-parts.js; here they are merged.

import { parts } from '/rooms-parts.js';

const every = (name, to) => parts.map((part) => part[name]?.[to] ?? {});
const table = (name) => ({
  en: Object.assign({}, ...every(name, 'en')), de: Object.assign({}, ...every(name, 'de')),
});

export const audit = table('audit');
export const states = table('states');
export const belongings = table('belongings');
export const errors = table('errors');
export const reasons = Object.assign({}, ...parts.map((part) => part.reasons ?? {}));

/** The rights of a role in all rooms, as a list of words. */
export const duties = (role, to) => parts.flatMap((part) => part.duties?.[to][role] ?? []);

/** The rooms' data about a person, which is removed with them. */
export const removed = (to) => parts.flatMap((part) => part.removed?.[to] ?? []);
