// Who is signed in on this device, and how a page changes something on the hub.

import { computed, signal } from '/ui.js';
import {
  ask, recall, forget, HubError, keepAnswer, noteCommit, noteInside, wasInside,
} from '/keep.js';

const CHANGE_LIMIT = 15_000; // milliseconds for one change

/**
 * undefined while nothing is known, null when nobody is signed in, else {person: {id, name, role}, device: {id, name}}.
 */
export const session = signal(undefined);

/** Whether somebody is signed in; until that is known, whether somebody was, so that the page need not be moved. */
export const isInside = computed(() => (session() === undefined ? wasInside() : session() !== null));

const RANKS = ['member', 'keykeeper', 'owner'];

/** Whether the one who is signed in may do what a role may; an owner may everything. */
export const may = (role) => RANKS.indexOf(session()?.person?.role) >= RANKS.indexOf(role);

/** What is the same as before is no news: nothing that follows it is drawn anew under somebody's hands. */
function tell({ person, device }) {
  const now = person ? { person, device } : null;
  if (JSON.stringify(now) !== JSON.stringify(session.peek())) session.set(now);
  noteInside(now !== null);
}

/** Shows who was signed in last, then asks the hub. */
export async function refreshSession() {
  const kept = await recall('session');
  if (kept && session.peek() === undefined) tell(kept.body);
  try {
    const now = await ask('session', '/api/v1/session', false);
    // What was told to somebody else who used this device is not for whoever uses it now.
    if (kept?.body.person && String(kept.body.person.id) !== now.person?.id) await noteInside(false);
    tell(now);
    // Of the moment in which somebody comes or goes only the answer itself says whose it is.
    keepAnswer('session', now, Boolean(now.person));
  } catch {
    if (session.peek() === undefined) session.set(null); // without the hub nobody can be signed in anew
  }
}

/** What the hub says now, for pages that are of no use without it: nothing of it is kept on the device. */
export const load = (url) => change('GET', url);

/** A list as it is now, with the objects of before for what is the same: its rows stay, and what is open in them. */
export function reusing(before = [], now) {
  const known = new Map(before.map((one) => [JSON.stringify(one), one]));
  return now.map((one) => known.get(JSON.stringify(one)) ?? one);
}

/** Changes something on the hub as the one who is signed in. Answers what the hub says; throws HubError. */
export const change = async (method, url, body) => (await exchange(method, url, body)).answer;

/**
 * The same, with the tag of the version that came or went: {answer, tag}. With `onlyIf`, a tag, nothing is changed
 * where somebody else has changed it since (412).
 */
export async function exchange(method, url, body, onlyIf) {
  const send = () => fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...(onlyIf ? { 'If-Match': onlyIf } : {}),
      ...(method === 'POST' ? { 'Idempotency-Key': key } : {}),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(CHANGE_LIMIT),
  });
  const key = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16)).join('-');
  // Whether a request whose answer was lost has arrived, nobody can tell. The hub knows it by its key, and does nothing
  // twice.
  const response = await send().catch((error) => {
    if (method !== 'POST' || !navigator.onLine) throw error;
    return send();
  });
  const answer = response.status === 204 ? null : await response.json().catch(() => null);
  noteCommit(response, answer);
  if (response.ok) return { answer, tag: response.headers.get('ETag') };
  if (response.status === 401) await forget('session').then(refreshSession);
  throw new HubError(response.status, answer ?? undefined);
}
