// Requests and transactions of IndexedDB. WebKit never ends a transaction that was open when its page was left, and
// those of all later pages wait behind it. And what is loaded late, over a network that may lose it.

const PATIENCE = 3_000; // milliseconds that a page waits before it shows itself without what is stored
const LONGEST = 30_000; // milliseconds between two attempts to load something

/** Resolved with what a request gives, when it is done. */
export const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/**
 * Opens a database; without a version as it is. `upgrade(request, oldVersion)` makes its stores. `ended()` tells that
 * the connection has: for a newer page in another tab, for somebody who signs out, or by the browser, which cleared it.
 */
export const opened = (name, version, upgrade, ended) => new Promise((resolve, reject) => {
  const request = indexedDB.open(name, version);
  request.onupgradeneeded = ({ oldVersion }) => upgrade(request, oldVersion);
  request.onsuccess = () => {
    request.result.onversionchange = () => {
      request.result.close();
      ended();
    };
    request.result.onclose = ended;
    resolve(request.result);
  };
  request.onerror = () => reject(request.error);
  request.onblocked = () => reject(new Error('The database of another version is still open'));
});

/**
 * Ends a transaction as soon as its last request is made, so that it ends also if the page is left at once. If one of
 * its requests fails now, WebKit keeps what the others have written.
 */
export function commit(transaction) {
  try {
    transaction.commit?.();
  } catch {
    // It was aborted.
  }
}

/** The result of `promise`; undefined if it fails, or takes longer than a page waits for what it can do without. */
export function soon(promise) {
  let timer;
  const late = new Promise((resolve) => { timer = setTimeout(resolve, PATIENCE); });
  return Promise.race([promise, late]).catch(() => undefined).finally(() => clearTimeout(timer));
}

/**
 * What `load()` gives. If it fails it is called again, after pauses that grow to half a minute: what never comes is
 * waited for. `lost` hears of each failure. No two pages keep step, since a hub that was down has all of them at once.
 */
export async function insist(load, lost) {
  for (let pause = PATIENCE; ; pause = Math.min(2 * pause, LONGEST)) {
    try {
      return await load();
    } catch (error) {
      console.warn(error);
      lost?.();
    }
    const wait = pause * (1 - Math.random() / 2);
    await new Promise((resolve) => { setTimeout(resolve, wait); });
  }
}
