// The last known answers of the hub, stored on this device with their time: without a network the page shows them with
// their age. IndexedDB, since Cache storage needs HTTPS, which a hub on a home network may not have.

import { commit, done, opened, soon } from '/done.js';
import { ANSWERS, migrate, MINE, storesOf, VERSION } from '/migrations.js';

const DATABASE = 'eightbells';
// Rooms' own databases and caches, and their entries in localStorage, whose names begin so hold what only a member may
// see.
const OF_MEMBERS = 'eightbells-mine-';
// They may be from before names were noted.
const UNNOTED = ['eightbells-mine-portfolio', 'eightbells-mine-portfolio-uploads'];
/** The name of what localStorage has while somebody is signed in on this device. */
export const INSIDE = 'eightbells-inside';
const WRONG = 60_000; // milliseconds by which a clock counts as wrong; less may be an answer's way
const ASK_LIMIT = 10_000; // milliseconds for one answer of the hub; meanwhile a page shows the stored one

/**
 * An answer of the hub that is an error: HTTP's `status`, `code`, `message` and `help` from the hub's table, `reason`
 * if there is a more exact one, and `fields` with their `fieldReasons` if single fields are wrong.
 */
export class HubError extends Error {
  constructor(status, { code, error, help, reason, fields, field_reasons: fieldReasons } = {}) {
    super(error ?? `The hub answered ${status}`);
    Object.assign(this, { name: 'HubError', status, code, help, reason, fields, fieldReasons });
  }
}

/**
 * True if the hub has not answered, or cannot just now. Each refusal of its own has a code: one without is of what
 * stands before it, which answers 502, 503 or 404 while the hub is down.
 */
export const isAway = (error) => !(error instanceof HubError) || !error.code || error.status >= 500;

let opening;
const ended = () => { opening = undefined; };

/** Without a version it is opened as it is. */
const open = (version) => opened(DATABASE, version, ({ result, transaction }, from) => {
  migrate(storesOf(result, transaction), from).catch((error) => {
    console.error(error);
    transaction.abort();
  });
}, ended);

const isNewer = (error) => error?.name === 'VersionError';

function database() {
  if (opening) return opening;
  opening = open(VERSION);
  opening.catch((error) => {
    if (isNewer(error)) console.warn(`The stored data is newer than version ${VERSION} of these pages: none is used.`);
    else ended(); // another tab may have blocked it, and may be closed by the next time
  });
  return opening;
}

/**
 * True if newer pages were here before, as on a hub that went back to its backup: what they have stored stays for when
 * they come again, and these work without storage.
 */
export const isStoreNewer = () => database().then(() => false, isNewer);

async function within(db, mode, act, name) {
  const transaction = db.transaction(name, mode);
  const request = act(transaction.objectStore(name));
  commit(transaction); // what a page writes when it is left is kept, too
  return done(request);
}

/** Runs `act(db)`. A connection that the browser has ended, as on a phone that slept, is followed by another one. */
async function over(act, connect = database) {
  try {
    return await act(await connect());
  } catch (error) {
    if (error?.name !== 'InvalidStateError') throw error;
    ended();
    return act(await connect());
  }
}

/** One request to the database. Without storage (a private window) nothing is remembered, and there is no error. */
async function stored(mode, act, name = ANSWERS) {
  try {
    return await over((db) => within(db, mode, act, name));
  } catch {
    return undefined;
  }
}

/** Deletes what only the signed-in person was told, also what newer pages have stored. */
async function clearMine() {
  try {
    await over((db) => within(db, 'readwrite', (mine) => mine.clear(), MINE),
      () => database().catch((error) => (isNewer(error) ? open() : Promise.reject(error))));
  } catch { // no storage
  }
}

/** A small value that this browser remembers; null without storage, or if there is none that can be read. */
export function remembered(key) {
  try {
    return JSON.parse(localStorage.getItem(key));
  } catch {
    return null;
  }
}

/** Remembers a small value in this browser; null forgets it. Without storage it lasts until the page is closed. */
export function remember(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch { // no storage
  }
}

/** The way to this hub's other tabs; null in a browser that has none, as Firefox while cookies are blocked. */
export function channelNamed(name) {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}

/** True if somebody was signed in when the hub last answered; false without storage. */
export function wasInside() {
  try {
    return localStorage.getItem(INSIDE) !== null;
  } catch {
    return false;
  }
}

/** Rooms' entries that must not wait until databases are deleted; an empty one only names a database of its own. */
const entriesOfMembers = () => Object.keys(localStorage)
  .filter((name) => name.startsWith(OF_MEMBERS) && localStorage.getItem(name));

let clearing = Promise.resolve();

/** Resolved once what only somebody who has signed out was told is deleted: a page that goes before leaves it here. */
export const cleared = () => clearing;

/** Records that somebody is signed in; or that nobody is, and deletes what only they were told. */
export async function noteInside(isSo) {
  const was = wasInside();
  try {
    if (isSo) localStorage.setItem(INSIDE, '');
    else for (const name of [INSIDE, ...entriesOfMembers()]) localStorage.removeItem(name);
  } catch { // no storage
  }
  if (!was || isSo) return;
  // Pictures are in the browser's own cache, which only the hub can have cleared. That may take seconds.
  fetch('/api/v1/session?ended=1', { keepalive: true }).catch(() => {});
  clearing = clearMine().then(deleteRooms).catch(() => {}); // no storage
  await clearing;
}

/**
 * Deletes the databases and caches of rooms that belong to whoever was signed in. Firefox lists databases from version
 * 126 on.
 */
async function deleteRooms() {
  const listed = (await globalThis.indexedDB?.databases?.().catch(() => []) ?? []).map(({ name }) => name);
  for (const name of new Set([...UNNOTED, ...Object.keys(localStorage), ...listed])) {
    if (!name?.startsWith(OF_MEMBERS)) continue;
    indexedDB.deleteDatabase(name);
    localStorage.removeItem(name);
  }
  const caches = await globalThis.caches?.keys() ?? [];
  await Promise.all(caches.filter((name) => name.startsWith(OF_MEMBERS)).map((name) => globalThis.caches.delete(name)));
}

/**
 * The stored answer {body, at}, `at` in milliseconds since 1970, or undefined. It may never come, so it is for those
 * who must not take it for missing.
 */
export async function lookUp(key) {
  const [mine, all] = await Promise.all([MINE, ANSWERS].map((name) =>
    stored('readonly', (kept) => kept.get(key), name)));
  return mine && (!all || mine.at >= all.at) ? mine : all;
}

/** The same, for pages that wait to show themselves: undefined too if it does not come in time. */
export const recall = (key) => soon(lookUp(key));

/** Stores an answer: for everybody who uses this device, or until the person signs out. It was true at `at`. */
export const keepAnswer = (key, body, isMine, at = Date.now()) =>
  stored('readwrite', (kept) => kept.put({ body, at }, key), isMine ? MINE : ANSWERS);

/** Stores something for everybody who uses this device. */
export const keep = (key, body) => keepAnswer(key, body, false);

/**
 * Changes a stored value in one transaction, so that two tabs cannot undo each other's changes: `change(body)` is
 * passed the stored value, or undefined, and returns the new one. Resolved with that; undefined if nothing can be
 * stored.
 */
export async function revise(key, change) {
  try {
    return await over((db) => new Promise((resolve, reject) => {
      const transaction = db.transaction(ANSWERS, 'readwrite');
      const answers = transaction.objectStore(ANSWERS);
      let body;
      answers.get(key).onsuccess = ({ target }) => {
        body = change(target.result?.body);
        answers.put({ body, at: Date.now() }, key).onerror = (event) => reject(event.target.error);
        commit(transaction);
      };
      transaction.oncomplete = () => resolve(body); // on the disk, as far as a browser promises it
      transaction.onabort = () => reject(transaction.error);
    }));
  } catch {
    return undefined;
  }
}

export const forget = (key) => Promise.all([MINE, ANSWERS].map((name) =>
  stored('readwrite', (kept) => kept.delete(key), name)));

/**
 * Requests an answer from the hub, and stores it unless told otherwise. Throws HubError for an error, and fetch's own
 * error if the hub cannot be reached. The browser's HTTP cache sends the ETag along, so an unchanged answer costs a few
 * bytes.
 */
export async function ask(key, url, isKept = true) {
  const isMine = wasInside();
  const response = await fetch(url, { signal: AbortSignal.timeout(ASK_LIMIT) });
  noteClock(response);
  if (!response.ok) {
    const error = new HubError(response.status, await response.json().catch(() => undefined));
    if (error.status === 404 && !isAway(error)) forget(key);
    throw error;
  }
  const body = await response.json();
  noteCommit(response, body);
  // An answer for somebody who has signed out meanwhile is not stored.
  if (isKept && (!isMine || wasInside())) keepAnswer(key, body, isMine);
  return body;
}

let ahead = 0;

/**
 * Milliseconds by which the hub's clock is ahead of this device's, as its last answer has told; 0 while they agree. A
 * device that was without power may be wrong by days.
 */
export const hubAhead = () => ahead;

/** Compares the clocks, as soon as an answer has come. */
export function noteClock(response) {
  const off = Date.parse(response.headers.get('Date')) - Date.now();
  if (!Number.isNaN(off)) ahead = Math.abs(off) > WRONG ? off : 0;
}

const commits = new WeakMap();

/** Records the number of the last change that an answer includes. */
export function noteCommit(response, body) {
  const number = Number(response.headers.get('Eightbells-Commit'));
  if (number && body !== null && typeof body === 'object') commits.set(body, number);
}

/** The number of the last change that an answer includes; 0 if unknown. Events have such numbers too. */
export const commitOf = (body) => commits.get(body) ?? 0;
