// Changes a visitor's favourite events. They are stored on this device, so they need neither a network nor an account;
// those of a signed-in person are also stored by the hub, and so available on all their devices. Changes made while the
// hub could not be reached are stored here until they can be sent.

import { computed, effect, ending, signal } from '/ui.js';
import { channelNamed, isAway, revise } from '/keep.js';
import { line, live, usable } from '/live.js';
import { change } from '/session.js';
import { note, noted } from '/programme/favourites-journal.js';
import { favourites, list, lists, NAME, person, recallFavourites } from '/programme/favourites-list.js';
import { answered, merged, momentAfter, pruned, snapshot, winner } from '/programme/favourites-merge.js';

const ROUTE = '/api/v1/space/favourites';
const SEND_AFTER = 400; // milliseconds: several changes are sent together
const AGAIN = 30_000; // milliseconds after a failure
const AT_ONCE = 100;     // records in one message

/** The number of changes that the hub has not received yet. */
export const unsent = computed(() => (person() ? waiting(list()).length : 0));

/** The favourites of somebody who has signed out on this device: {count, unsent}, or null. */
export const leftBehind = computed(() => {
  if (person() !== null) return null;
  const records = Object.values(lists().people).flatMap((one) => Object.values(one));
  const kept = records.filter((record) => record.kept).length;
  return kept ? { count: kept, unsent: records.filter(({ sent, refused }) => !sent && !refused).length } : null;
});

/** True if a change of nobody in particular could not be stored: it lasts until the page is closed. */
export const isFleeting = signal(false);

const waiting = (records) => Object.values(records).filter(({ sent, refused }) => !sent && !refused);

const others = channelNamed('eightbells-favourites');

let underWay = 0;

/** Changes the lists, and tells other tabs. Resolved with true if the change was stored. */
async function update(make) {
  lists.set(make(lists.peek())); // shown at once
  underWay += 1;
  const stored = await revise(NAME, (body) => make(body ?? { device: {}, people: {} }));
  underWay -= 1;
  if (stored && underWay === 0) lists.set(stored);
  others?.postMessage('changed');
  return stored !== undefined;
}

const withList = (all, owner, records) => (owner
  ? { ...all, people: { ...all.people, [owner]: records } } : { ...all, device: records });
const listOf = (all, owner) => (owner ? all.people[owner] : all.device) ?? {};

function put(event, kept) {
  const owner = person.peek();
  const seen = snapshot(event);
  const said = (all) =>
    ({ event: event.id, kept, at: momentAfter(listOf(all, owner)[event.id], Date.now()), seen });
  const written = note(owner, said(lists.peek()));
  const done = update((all) => withList(all, owner, { ...listOf(all, owner), [event.id]: said(all) }));
  done.then((isStored) => {
    if (isStored) written?.(); // otherwise it stays in the journal: the next page that opens tries again
    if (!owner) isFleeting.set(!isStored && !written);
    send(SEND_AFTER);
  });
  return done;
}

/** Applies the changes that an earlier page recorded in the journal, but could not store before it was closed. */
async function catchUp() {
  for (const { owner, record, done } of noted()) {
    const isStored = await update((all) => {
      const before = listOf(all, owner);
      return withList(all, owner, { ...before, [record.event]: winner(before[record.event], record) });
    });
    if (isStored) done();
  }
}

/** Makes an event a favourite, or no longer one. */
export const toggleFavourite = (event) => put(event, !favourites.peek().has(event.id));

/** Records that the person has seen what has changed. */
export const acknowledge = (event) => put(event, true);

/** Removes a favourite that is no longer in the programme. */
export const dropFavourite = ({ event, seen }) => put({ id: event, ...seen }, false);

/** Decides on the list of somebody who has signed out: it stays on this device as nobody's, or is deleted. */
export function settleLeftBehind(stays) {
  return update((all) => {
    const records = Object.values(all.people).reduce(merged, {});
    const own = Object.fromEntries(Object.entries(records).map(([id, { sent, refused, ...record }]) => [id, record]));
    return { device: stays ? merged(all.device, own) : all.device, people: {} };
  });
}

/** Adds this device's favourites to those of the person who signs in, and deletes others' lists that the hub has. */
function takeAlong(owner) {
  const all = lists.peek();
  const strangers = Object.keys(all.people).filter((one) => one !== owner);
  if (!Object.keys(all.device).length && !strangers.length) return Promise.resolve();
  return update((now) => {
    const left = Object.entries(now.people)
      .filter(([one, records]) => one === owner || waiting(records).length > 0);
    const kept = { device: {}, people: Object.fromEntries(left) };
    // An empty list is made by the hub's answer alone: `isAwaited`.
    return Object.keys(now.device).length ? withList(kept, owner, merged(listOf(kept, owner), now.device)) : kept;
  });
}

let timer;
let sending = false;

function send(after = 0) {
  clearTimeout(timer);
  timer = setTimeout(exchange, after);
}

/** Sends changes to the hub, and receives those of other devices. */
async function exchange() {
  const owner = person.peek();
  if (!owner || sending) return;
  sending = true;
  try {
    let batch = waiting(listOf(lists.peek(), owner)).slice(0, AT_ONCE);
    do {
      await tell(owner, batch);
      batch = waiting(listOf(lists.peek(), owner)).slice(0, AT_ONCE);
    } while (batch.length && person.peek() === owner);
  } catch (error) {
    if (isAway(error) || error.status === 429) send(AGAIN);
  } finally {
    sending = false;
    if (person.peek() !== owner) send();
  }
}

async function tell(owner, batch) {
  let answer;
  try {
    const records = batch.map(({ event, kept, at, seen }) => ({ event, kept, at, seen }));
    answer = await change('POST', ROUTE, { favourites: records });
  } catch (error) {
    const isRefused = !isAway(error) && [400, 409, 413, 422].includes(error.status);
    if (!isRefused || batch.length === 0) throw error;
    if (batch.length > 1) { // one that the hub refuses must not delay the others
      await tell(owner, batch.slice(0, batch.length / 2));
      await tell(owner, batch.slice(batch.length / 2));
      return;
    }
    const [{ event, at }] = batch;
    await update((all) => {
      const before = listOf(all, owner);
      if (before[event]?.at !== at) return all;
      return withList(all, owner, { ...before, [event]: { ...before[event], refused: true } });
    });
    return;
  }
  await update((all) => {
    const now = answered(listOf(all, owner), batch, answer.favourites);
    return withList(all, owner, pruned(now, Date.now()));
  });
}

/** Keeps the stored favourites in step with the hub and with other tabs. */
export async function startFavourites() {
  await catchUp();
  others?.addEventListener('message', recallFavourites);
  usable.then(exchangeFavourites);
}

/** Begins to exchange changes with the hub. */
function exchangeFavourites() {
  effect(() => { if (person()) takeAlong(person()).then(() => send()); });
  effect(() => { if (line() === 'live') send(); });
  effect(() => { // another device of the person has sent changes
    const owner = person();
    if (!owner) return;
    const onevent = (name) => { if (name === NAME) send(SEND_AFTER); };
    ending(live.listen(`private-person-${owner}`, { onevent, onlive: () => send() }));
  });
  addEventListener('online', () => send());
  addEventListener('visibilitychange', () => { if (!document.hidden) send(SEND_AFTER); });
}
