// The last known answers of the hub, kept on this device with the time they were true: without a network the page
// shows them, with their age. IndexedDB, since Cache storage exists with HTTPS only and a hub on a home network may
// have none.

import { ANSWERS, migrate, MINE, storesOf, VERSION } from '/migrations.js';

const DATABASE = 'eightbells';
const INSIDE = 'eightbells-inside'; // there while somebody is signed in on this device
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

function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, VERSION);
    request.onupgradeneeded = ({ oldVersion }) => {
      const { result, transaction } = request;
      migrate(storesOf(result, transaction), oldVersion).catch((error) => {
        console.error(error);
        transaction.abort();
      });
    };
    request.onsuccess = () => {
      request.result.onversionchange = () => { // a newer page in another tab waits for us
        request.result.close();
        opening = undefined;
      };
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('The database of another version is still open'));
  });
}

function database() {
  opening ??= open();
  opening.catch(() => { opening = undefined; }); // a tab that stood in the way may be closed by the next time
  return opening;
}

/** One request to the database. A device that refuses us storage (a private window) only loses the memory: no error. */
async function stored(mode, act, name = ANSWERS) {
  try {
    const db = await database();
    return await new Promise((resolve, reject) => {
      const request = act(db.transaction(name, mode).objectStore(name));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } catch {
    return undefined;
  }
}

/** Whether somebody was signed in when the hub was heard last; without storage nobody was. */
export function wasInside() {
  try {
    return localStorage.getItem(INSIDE) !== null;
  } catch {
    return false;
  }
}

/** Notes that somebody is signed in; or that nobody is, and forgets what only they were told. */
export async function noteInside(isSo) {
  const was = wasInside();
  try {
    if (isSo) localStorage.setItem(INSIDE, '');
    else localStorage.removeItem(INSIDE);
  } catch { // as above
  }
  if (was && !isSo) await stored('readwrite', (mine) => mine.clear(), MINE);
}

/** The kept answer {body, at}, `at` in milliseconds since 1970, or undefined. */
export async function recall(key) {
  const [mine, all] = await Promise.all([MINE, ANSWERS].map((name) =>
    stored('readonly', (kept) => kept.get(key), name)));
  return mine && (!all || mine.at >= all.at) ? mine : all;
}

/** Keeps something for everybody who uses this device. It was true at `at`. */
export const keep = (key, body, at = Date.now()) => stored('readwrite', (answers) => answers.put({ body, at }, key));

/** Keeps what the hub said: for everybody who uses this device, or for as long as somebody is signed in. */
export const keepAnswer = (key, body, isMine) => stored('readwrite', (kept) => kept.put({ body, at: Date.now() }, key),
  isMine ? MINE : ANSWERS);

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

export const forget = (key) => Promise.all([MINE, ANSWERS].map((name) =>
  stored('readwrite', (kept) => kept.delete(key), name)));

/**
 * Asks the hub, and keeps what it says unless told otherwise. Throws HubError when it answers with an error, and
 * fetch's own error when it cannot be reached. The browser's HTTP cache sends the ETag along, so an unchanged answer
 * costs a few bytes.
 */
export async function ask(key, url, isKept = true) {
  const isMine = wasInside();
  const response = await fetch(url, { signal: AbortSignal.timeout(ASK_LIMIT) });
  if (!response.ok) {
    if (response.status === 404) await forget(key);
    throw new HubError(response.status, await response.json().catch(() => undefined));
  }
  const body = await response.json();
  noteCommit(response, body);
  // Who has signed out while it was under way was told it, and nobody after them.
  if (isKept && (!isMine || wasInside())) keepAnswer(key, body, isMine);
  return body;
}

const commits = new WeakMap();

/** Notes of which change of the hub an answer is the last to know. */
export function noteCommit(response, body) {
  const number = Number(response.headers.get('Eightbells-Commit'));
  if (number && body !== null && typeof body === 'object') commits.set(body, number);
}

/** The number of the last change that an answer knows of; 0 where it tells none. Events have such numbers too. */
export const commitOf = (body) => commits.get(body) ?? 0;
