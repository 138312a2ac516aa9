// A database of IndexedDB, opened when it is first needed. Its steps are numbered; a published one is never changed.

import { commit } from '/done.js';

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
    opening ??= new Promise((resolve, reject) => {
      note(name);
      const request = indexedDB.open(name, steps.length);
      request.onupgradeneeded = ({ oldVersion }) => {
        for (const step of steps.slice(oldVersion)) step(request.result);
      };
      request.onsuccess = () => {
        request.result.onversionchange = () => { // a newer page in another tab, or somebody who signs out
          request.result.close();
          forget();
        };
        request.result.onclose = forget; // the browser has cleared it
        resolve(request.result);
      };
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error('the database of another version is still open'));
    });
    opening.catch(forget);
    return opening;
  };
  return async (mode, names, act, then) => {
    const transaction = (await open()).transaction(names, mode);
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
