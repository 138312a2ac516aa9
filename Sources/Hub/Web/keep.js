// The last known answers of the hub, kept on this device with the time they were true: without a network the page
// shows them, with their age. IndexedDB, since Cache storage exists with HTTPS only and a hub on a home network may
// have none.

const DATABASE = 'eightbells';
const ANSWERS = 'answers';
const ASK_LIMIT = 10_000; // milliseconds for one answer of the hub; a page has the kept one to show meanwhile

/**
 * The hub answered, and the answer is an error: `status` of HTTP, `code`, `message` and `help` from the hub's
 * table, `reason` where that says more, and `fields` with their `fieldReasons` where single ones are wrong.
 */
export class HubError extends Error {
  constructor(status, { code, error, help, reason, fields, field_reasons: fieldReasons } = {}) {
    super(error ?? `The hub answered ${status}`);
    Object.assign(this, { name: 'HubError', status, code, help, reason, fields, fieldReasons });
  }
}

let opening;

function database() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(ANSWERS);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('The database of another version is still open'));
  });
  return opening;
}

/** One request to the database. A device that refuses us storage (a private window) only loses the memory: no error. */
async function stored(mode, act) {
  try {
    const db = await database();
    return await new Promise((resolve, reject) => {
      const request = act(db.transaction(ANSWERS, mode).objectStore(ANSWERS));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } catch {
    return undefined;
  }
}

/** The kept answer {body, at}, `at` in milliseconds since 1970, or undefined. */
export const recall = (key) => stored('readonly', (answers) => answers.get(key));

/** Keeps an answer that was true at `at`; `own` if it is for the one who is signed in, and goes with them. */
export const keep = (key, body, at = Date.now(), own = false) =>
  stored('readwrite', (answers) => answers.put({ body, at, own }, key));

/**
 * Changes what is kept in one step, so that two tabs cannot undo each other's changes: `change(body)` is given what is
 * kept, or undefined, and answers what shall be. Answers that; undefined where nothing can be kept.
 */
export async function revise(key, change) {
  try {
    const db = await database();
    return await new Promise((resolve, reject) => {
      const transaction = db.transaction(ANSWERS, 'readwrite');
      const answers = transaction.objectStore(ANSWERS);
      let body;
      answers.get(key).onsuccess = ({ target }) => {
        body = change(target.result?.body);
        answers.put({ body, at: Date.now() }, key);
      };
      transaction.oncomplete = () => resolve(body); // on the disk, as far as a browser promises it
      transaction.onabort = () => reject(transaction.error);
    });
  } catch {
    return undefined;
  }
}

export const forget = (key) => stored('readwrite', (answers) => answers.delete(key));

/** Removes all that was kept for somebody who is not signed in here any more, but for one key. */
export async function forgetOwn(except) {
  try {
    const db = await database();
    await new Promise((resolve, reject) => {
      const transaction = db.transaction(ANSWERS, 'readwrite');
      transaction.objectStore(ANSWERS).openCursor().onsuccess = ({ target: { result: cursor } }) => {
        if (!cursor) return;
        if (cursor.value.own && cursor.key !== except) cursor.delete();
        cursor.continue();
      };
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
  } catch {
    // Where nothing can be kept there is nothing to remove.
  }
}

/**
 * Asks the hub, and keeps what it says. Throws HubError when it answers with an error, and fetch's own error when it
 * cannot be reached. The browser's HTTP cache sends the ETag along, so an unchanged answer costs a few bytes.
 */
export async function ask(key, url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(ASK_LIMIT) });
  if (!response.ok) {
    if (response.status === 404) await forget(key);
    throw new HubError(response.status, await response.json().catch(() => undefined));
  }
  const body = await response.json();
  // What the browser may not keep is told to somebody: it stays for them alone, and goes when they do.
  keep(key, body, Date.now(), response.headers.get('Cache-Control') === 'no-store');
  return body;
}
