// Who opens the space for an event: who has put themselves down, and where somebody is still wanted.

import { computed, effect, signal } from '/ui.js';
import { ask, recall } from '/keep.js';
import { line, onNews, usable } from '/live.js';
import { change, may, session } from '/session.js';
import { DAYS_AHEAD } from '/programme/model.js';

const NAME = 'openers';
const DAY = 86_400_000;

/** By the event's id: {event, wanted, people: [{name, me}]}. */
export const openers = signal(new Map());

const none = { wanted: false, people: [] };
export const openersOf = (event) => openers().get(event.id) ?? none;

/** Somebody is wanted for it, and nobody has said that they come. */
export const isUnopened = ({ wanted, people }) => wanted && people.length === 0;

/** The ids of events for which somebody is still wanted, for who may open. */
export const needy = computed(() => new Set(may('keykeeper')
  ? [...openers().values()].filter(isUnopened).map(({ event }) => event) : []));

const show = (body) => openers.set(new Map(body.openers.map((one) => [one.event, one])));

let round = 0;

export async function refreshOpeners() {
  round += 1;
  const mine = round;
  const date = (days) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);
  try {
    const body = await ask(NAME, `/api/v1/space/openers?from=${date(-2)}&to=${date(DAYS_AHEAD)}`);
    if (mine === round) show(body);
  } catch { // what is kept stays: the line says when the hub cannot be reached
  }
}

function take(one) {
  round += 1; // a question that is under way was asked before this was known
  openers.set(new Map(openers.peek()).set(one.event, one));
}

const address = ({ id }) => `/api/v1/space/openers/${encodeURIComponent(id)}`;

/** Asks for somebody who opens, or takes that back. Throws as `change` does, and so do the next two. */
export const setWanted = async (event, wanted) => take(await change('PUT', address(event), { wanted }));
export const volunteer = async (event) => take(await change('POST', `${address(event)}/me`));
export const withdraw = async (event) => take(await change('DELETE', `${address(event)}/me`));

export async function startOpeners() {
  const kept = await recall(NAME);
  if (kept && openers.peek().size === 0) show(kept.body);
  onNews('openers', refreshOpeners);
  // "me" is whoever is signed in.
  usable.then(() => effect(() => { if (line() === 'live' && session() !== undefined) refreshOpeners(); }));
}
