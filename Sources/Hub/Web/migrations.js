// What this device keeps changes with the pages in numbered steps, as the hub's store does: a step is never changed
// once it is out, and each begins with what the one before it left. The browser runs them in one transaction, so one
// that fails leaves all as it was: the page then does without its memory, and the next version may mend it.

export const ANSWERS = 'answers'; // what everybody is told, and what is this device's own
export const MINE = 'mine';       // what the hub told the one who is signed in: gone when they sign out

/** The version that each step leads to is its place in the list, counted from one. */
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
];

export const VERSION = steps.length;

/** Runs the steps that an older version (0: none) has not seen, in order. `stores` is what they work on. */
export async function migrate(stores, from, all = steps) {
  for (const step of all.slice(from)) await step(stores);
}

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** The stores of an IndexedDB database while it is upgraded, as steps see them. */
export const storesOf = (database, transaction) => ({
  create: (name) => { database.createObjectStore(name); },
  get: (name, key) => done(transaction.objectStore(name).get(key)),
  put: (name, key, value) => done(transaction.objectStore(name).put(value, key)),
  delete: (name, key) => done(transaction.objectStore(name).delete(key)),
});
