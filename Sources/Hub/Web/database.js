// A database of IndexedDB, opened when it is first needed. Its steps are numbered; a published one is never changed.

import { commit, opened } from '/done.js';

/**
 * Notes a database whose name says that it is a member's: not every browser lists those there are, and whoever signs
 * out has them deleted (keep.js).
 */
function note(name) {
  if (!name.startsWith('eightbells-mine-')) return;
  try {
    localStorage.setItem(name, '');
  } catch { // a service worker has none: a page had it open before
  }
}

/**
 * `within(mode, names, act, then)` for the database of that name: runs `act(stores…)` in one transaction, which makes
 * all its requests at once. Those that need its result, or must not be done if it fails, are made by
 * `then(result, stores…)`. Resolved with the last result once all of it is stored.
 */
export function withinDatabase(name, steps) {
  let opening;
  const forget = () => { opening = undefined; };
  const open = () => {
    if (opening) return opening;
    note(name);
    opening = opened(name, steps.length, ({ result }, from) => {
      for (const step of steps.slice(from)) step(result);
    }, forget);
    opening.catch(forget);
    return opening;
  };
  // A connection that the browser has ended, as on a phone that slept, is followed by another one.
  const begin = async (mode, names) => {
    try {
      return (await open()).transaction(names, mode);
    } catch (error) {
      if (error?.name !== 'InvalidStateError') throw error;
      forget();
      return (await open()).transaction(names, mode);
    }
  };
  return async (mode, names, act, then) => {
    const transaction = await begin(mode, names);
    const stores = names.map((one) => transaction.objectStore(one));
    const ended = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error ?? new Error('the transaction was aborted'));
    });
    ended.catch(() => {});
    let result = act(...stores);
    if (then) result = then(await result, ...stores);
    commit(transaction);
    result = await result;
    await ended;
    return result;
  };
}
