// The person signed in on this device, and requests that change something on the hub.

import { soon } from '/done.js';
import { computed, signal } from '/ui.js';
import {
  ask, forget, HubError, keepAnswer, lookUp, noteClock, noteCommit, noteInside, wasInside,
} from '/keep.js';
import { UNKNOWN } from '/migrations.js';

const CHANGE_LIMIT = 15_000; // milliseconds for one change
// Milliseconds in which making the same is taken for another try of one without an answer. Later it may well be meant
// anew.
const SAME = 300_000;

/**
 * undefined while unknown, null if nobody is signed in, else {person: {id, name, role}, device: {id, name}, rights},
 * with the ids of the rights that the person has.
 */
export const session = signal(undefined);

/** True once it is known whether somebody is signed in. */
export const isSessionKnown = computed(() => session() !== undefined);

/** True if somebody is signed in; until known, the last state, so that the page does not move. */
export const isInside = computed(() => (session() === undefined ? wasInside() : session() !== null));

// A new name of the person or the device changes nothing that depends on rights alone, such as a form.
const rightsNow = computed(() => session()?.rights);

/** True if the signed-in person has a right of the hub or of a room, such as 'hub.manage'. */
export const may = (right) => {
  const rights = rightsNow() ?? [];
  return rights.includes(right) || (rights.includes(UNKNOWN) && !right.startsWith('hub.'));
};

/** True if two answers of the hub say the same. */
export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** An unchanged session does not update the signal, so that nothing is redrawn while somebody types. */
function tell({ person, device, rights }) {
  const before = session.peek();
  const now = person ? { person, device, rights: same(rights, before?.rights) ? before.rights : rights } : null;
  if (!same(now, before)) session.set(now);
  noteInside(now !== null);
}

/** Shows the last session until the hub has answered. */
export async function refreshSession() {
  const looking = lookUp('session').then((kept) => {
    if (kept && session.peek() === undefined) tell(kept.body);
    return kept?.body.person;
  });
  try {
    const now = await ask('session', '/api/v1/session', false);
    // Answers for another person who used this device are deleted, also where it is known late whose they are.
    const deleting = looking.then((before) => before && String(before.id) !== now.person?.id && noteInside(false));
    await soon(deleting);
    tell(now);
    deleting.then(() => {
      noteInside(Boolean(session.peek()));
      if (session.peek()?.person.id !== now.person?.id) return; // somebody has signed in or out meanwhile
      // Only the answer itself tells whose it is while somebody signs in or out.
      keepAnswer('session', now, Boolean(now.person));
    });
  } catch {
    await soon(looking);
    if (session.peek() === undefined) session.set(null); // nobody can sign in without the hub
  }
}

/** Fetches from the hub, for pages that are useless without it: nothing is stored on the device. */
export const load = (url) => change('GET', url);

/** The new list with the old objects of unchanged items, so that their rows stay, and what is open in them. */
export function reusing(before = [], now) {
  const known = new Map(before.map((one) => [JSON.stringify(one), one]));
  return now.map((one) => known.get(JSON.stringify(one)) ?? one);
}

/** Changes something on the hub as the signed-in person. Returns the hub's answer; throws HubError. */
export const change = async (method, url, body) => (await exchange(method, url, body)).answer;

/**
 * The same as a POST that makes something, as a form does. Done again after a lost answer, as when somebody presses the
 * button once more, it makes nothing twice. It is not for what sets a state, such as an alarm that somebody takes on:
 * the same may be wanted again, after it was changed otherwise.
 */
export const create = async (url, body) => (await exchange('POST', url, body, undefined, true)).answer;

/** In the place of a tag: there was nothing yet. */
export const NOTHING = Symbol('nothing');

const unanswered = new Map(); // {text, key, at} of a `create` of which nobody knows if it arrived, by its address

/**
 * The same, with the tag of the version received or saved: {answer, tag}. With `onlyIf`, a tag or NOTHING, nothing is
 * changed if somebody else has changed it since (412).
 */
export async function exchange(method, url, body, onlyIf, isMaking = false) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const send = async () => {
    const response = await fetch(url, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(onlyIf === NOTHING ? { 'If-None-Match': '*' } : onlyIf ? { 'If-Match': onlyIf } : {}),
        ...(method === 'POST' ? { 'Idempotency-Key': key } : {}),
      },
      body: text,
      signal: AbortSignal.timeout(CHANGE_LIMIT),
    });
    noteClock(response);
    if (response.status === 204) return { response, answer: null };
    // An answer that breaks off is as lost as one that never came.
    const answer = await response.json().catch((error) => {
      if (response.ok) throw error;
      return null;
    });
    return { response, answer };
  };
  // If the answer is lost, it is unknown whether the request arrived. The hub recognises a repeated one by its key, and
  // does nothing twice.
  const before = isMaking && unanswered.get(url);
  const isAgain = before && before.text === text && Date.now() - before.at < SAME;
  const key = isAgain ? before.key
    : Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('-');
  const lose = () => { if (isMaking) unanswered.set(url, { text, key, at: Date.now() }); };
  const { response, answer } = await send().catch((error) => {
    if (method !== 'POST' || !navigator.onLine) throw error;
    return send();
  }).catch((error) => {
    lose();
    throw error;
  });
  if (response.status >= 500) lose(); // of a web server before the hub, perhaps
  else if (isMaking) unanswered.delete(url);
  else if (method === 'DELETE') unanswered.clear(); // perhaps of what was made
  noteCommit(response, answer);
  if (response.ok) return { answer, tag: response.headers.get('ETag') };
  if (response.status === 401) {
    forget('session');
    await refreshSession();
  }
  if (response.status === 403) refreshSession(); // another role, perhaps, which the page does not know of yet
  throw new HubError(response.status, answer ?? undefined);
}
