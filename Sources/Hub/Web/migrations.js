// The data on this device is migrated in numbered steps, like the hub's store: a published step is never changed, and
// each starts from the result of the one before. The browser runs them in one transaction, so a failing one changes
// nothing: the page then works without stored data, and the next version may correct it.

import { done } from '/done.js';

export const ANSWERS = 'answers'; // public answers, and data of this device
export const MINE = 'mine'; // answers for the signed-in person, deleted when they sign out

/** Stands for the rights of rooms in a session that was kept before the hub told rights. */
export const UNKNOWN = 'rooms.*';

/** The version that each step leads to is its position in the list, from one. */
export const steps = [
  (stores) => { stores.create(ANSWERS); },
  async (stores) => {
    stores.create(MINE);
    for (const key of ['session', 'openers', 'followed', 'switch-name']) {
      const kept = await stores.get(ANSWERS, key);
      if (kept === undefined) continue;
      await stores.put(MINE, key, kept);
      await stores.delete(ANSWERS, key);
    }
  },
  // Before, pages compared roles. A device that starts without a network must not lose what its person may; until the
  // hub has told their rights, it may offer them more than the hub would accept.
  async (stores) => {
    const kept = await stores.get(MINE, 'session');
    if (!kept?.body?.person || kept.body.rights) return;
    const rights = kept.body.person.role === 'owner' ? ['hub.manage', UNKNOWN] : [UNKNOWN];
    await stores.put(MINE, 'session', { ...kept, body: { ...kept.body, rights } });
  },
  // Pages stored somebody's notifications, devices and mail address also for everybody, where they outlived the
  // session.
  async (stores) => {
    for (const key of ['bells', 'bells-topics', 'bells-devices', 'bells-settings', 'bells-mail']) {
      await stores.delete(ANSWERS, key);
    }
  },
  // So did they with the albums that a member is in. Those of guests are fetched again.
  async (stores) => {
    for (const key of await stores.keys(ANSWERS)) if (key.startsWith('album ')) await stores.delete(ANSWERS, key);
  },
];

export const VERSION = steps.length;

/** Runs the steps after version `from` (0: none) in order, on `stores`. */
export async function migrate(stores, from, all = steps) {
  for (const step of all.slice(from)) await step(stores);
}

/** The stores of an IndexedDB database during an upgrade, for steps. */
export const storesOf = (database, transaction) => ({
  create: (name) => { database.createObjectStore(name); },
  get: (name, key) => done(transaction.objectStore(name).get(key)),
  put: (name, key, value) => done(transaction.objectStore(name).put(value, key)),
  keys: (name) => done(transaction.objectStore(name).getAllKeys()),
  delete: (name, key) => done(transaction.objectStore(name).delete(key)),
});
