// The events somebody has marked. They are kept on this device, so they are there without a network and without an
// account; with a person who is signed in they are on the hub as well, and so on all their devices. What was marked or
// unmarked while the hub could not be reached waits here until it can.

import { computed, effect, ending, signal } from '/ui.js';
import { HubError, recall, revise } from '/keep.js';
import { line, live, usable } from '/live.js';
import { change, session } from '/session.js';
import { note, noted } from '/programme/favourites-journal.js';
import { answered, merged, momentAfter, pruned, snapshot, winner } from '/programme/favourites-merge.js';

const NAME = 'favourites';
const ROUTE = '/api/v1/space/favourites';
const SEND_AFTER = 400;  // milliseconds: who marks three events sends them together
const AGAIN = 30_000;    // after a failure
const AT_ONCE = 100;     // records in one message

/**
 * All lists on this device: `device` is nobody's, `people` has those of persons by their ids. Of a person who has
 * signed out the list stays aside until somebody says what shall become of it.
 */
const lists = signal({ device: {}, people: {} });

/** The person who is signed in, null for nobody, undefined while that is not known. */
const person = computed(() => (session() === undefined ? undefined : session()?.person?.id ?? null));

const list = computed(() => (person() ? lists().people[person()] : lists().device) ?? {});

/** The records {event, kept, at, seen} of the events that are marked, by the event's id. */
export const favourites = computed(() => new Map(Object.entries(list()).filter(([, { kept }]) => kept)));

/** How many changes the hub has not heard of. */
export const unsent = computed(() => (person() ? waiting(list()).length : 0));

/** Marked events of someone who was signed in on this device and is no more: {count, unsent}, or null. */
export const leftBehind = computed(() => {
  if (person() !== null) return null;
  const records = Object.values(lists().people).flatMap((one) => Object.values(one));
  const kept = records.filter((record) => record.kept).length;
  return kept ? { count: kept, unsent: records.filter(({ sent, refused }) => !sent && !refused).length } : null;
});

const waiting = (records) => Object.values(records).filter(({ sent, refused }) => !sent && !refused);

const others = globalThis.BroadcastChannel ? new BroadcastChannel('eightbells-favourites') : null;

let underWay = 0;

/** One change of the lists, told to other tabs. Answers, when it is done, whether it is on the disk. */
async function update(make) {
  lists.set(make(lists.peek())); // at once, for the eye
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
    if (isStored) written(); // what the disk refused stays noted: the next page that opens tries again
    send(SEND_AFTER);
  });
  return done;
}

/** What was said the moment before this page was closed, and had not reached the list. */
async function catchUp() {
  for (const { owner, record, done } of noted()) {
    const isStored = await update((all) => {
      const before = listOf(all, owner);
      return withList(all, owner, { ...before, [record.event]: winner(before[record.event], record) });
    });
    if (isStored) done();
  }
}

/** Marks an event, or takes the mark away. */
export const toggleFavourite = (event) => put(event, !favourites.peek().has(event.id));

/** The person has seen what has changed. */
export const acknowledge = (event) => put(event, true);

/** Takes the mark from an event that is not in the programme any more. */
export const dropFavourite = ({ event, seen }) => put({ id: event, ...seen }, false);

/** What becomes of the list of who has signed out: it stays on this device as nobody's, or it goes. */
export function settleLeftBehind(stays) {
  return update((all) => {
    const records = Object.values(all.people).reduce(merged, {});
    const own = Object.fromEntries(Object.entries(records).map(([id, { sent, refused, ...record }]) => [id, record]));
    return { device: stays ? merged(all.device, own) : all.device, people: {} };
  });
}

/** Who signs in takes along what was marked on this device. Lists of others that the hub has anyway are not kept. */
function takeAlong(owner) {
  const all = lists.peek();
  const strangers = Object.keys(all.people).filter((one) => one !== owner);
  if (!Object.keys(all.device).length && !strangers.length && all.people[owner]) return Promise.resolve();
  return update((now) => {
    const left = Object.entries(now.people)
      .filter(([one, records]) => one === owner || waiting(records).length > 0);
    const people = Object.fromEntries(left);
    return { device: {}, people: { ...people, [owner]: merged(people[owner] ?? {}, now.device) } };
  });
}

let timer;
let sending = false;

function send(after = 0) {
  clearTimeout(timer);
  timer = setTimeout(exchange, after);
}

/** Tells the hub what it has not heard, and hears what other devices have told it. */
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
    const isLater = !(error instanceof HubError) || error.status >= 500 || error.status === 429;
    if (isLater) send(AGAIN);
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
    const isRefused = error instanceof HubError && [400, 409, 413, 422].includes(error.status);
    if (!isRefused || batch.length === 0) throw error;
    if (batch.length > 1) { // one that the hub does not take must not hold up the others
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

/** Shows what is kept here, and keeps it in step with the hub and with other tabs. */
export async function startFavourites() {
  const reread = async () => {
    const kept = await recall(NAME);
    if (kept) lists.set(kept.body);
  };
  await reread();
  await catchUp();
  others?.addEventListener('message', reread);
  usable.then(exchangeFavourites);
}

/** From now on the hub is told, and heard. */
function exchangeFavourites() {
  effect(() => { if (person()) takeAlong(person()).then(() => send()); });
  effect(() => { if (line() === 'live') send(); });
  effect(() => { // another of the person's devices has told the hub something
    const owner = person();
    if (!owner) return;
    const onevent = (name) => { if (name === NAME) send(SEND_AFTER); };
    ending(live.listen(`private-person-${owner}`, { onevent, onlive: () => send() }));
  });
  addEventListener('online', () => send());
  addEventListener('visibilitychange', () => { if (!document.hidden) send(SEND_AFTER); });
}
