// The openers of events, and requests for openers.

import { computed, effect, signal } from '/ui.js';
import { ask, hubAhead, recall } from '/keep.js';
import { line, onNews, usable } from '/live.js';
import { change, may, session } from '/session.js';
import { DAY, DAYS_AHEAD, dateOf } from '/programme/model.js';

const NAME = 'openers';

/** By the event's id: {event, wanted, people: [{name, me}]}. */
const openers = signal(new Map());

const none = { wanted: false, people: [] };
export const openersOf = (event) => openers().get(event.id) ?? none;

/** True if an opener is requested and nobody has volunteered. */
export const isUnopened = ({ wanted, people }) => wanted && people.length === 0;

/** The ids of events without a requested opener, for those who may open. */
export const needy = computed(() => new Set(may('programme.open-for')
  ? [...openers().values()].filter(isUnopened).map(({ event }) => event) : []));

const show = (body) => openers.set(new Map(body.openers.map((one) => [one.event, one])));

let round = 0;

async function refreshOpeners() {
  round += 1;
  const mine = round;
  const days = (Date.now() + hubAhead()) / DAY;
  try {
    const body = await ask(NAME, `/api/v1/space/openers?from=${dateOf(days - 2)}&to=${dateOf(days + DAYS_AHEAD)}`);
    if (mine === round) show(body);
  } catch { // the stored list stays: the connection's state is shown elsewhere
  }
}

/** Shows it at once, and asks for the list: an answer that is on its way may be older than this one, or newer. */
function take(one) {
  openers.set(new Map(openers.peek()).set(one.event, one));
  refreshOpeners();
}

const address = ({ id }) => `/api/v1/space/openers/${encodeURIComponent(id)}`;

/** Requests an opener, or withdraws the request. Throws as `change` does, and so do the next two. */
export const setWanted = async (event, wanted) => take(await change('PUT', address(event), { wanted }));
export const volunteer = async (event) => take(await change('POST', `${address(event)}/me`));
export const withdraw = async (event) => take(await change('DELETE', `${address(event)}/me`));

export async function startOpeners() {
  const kept = await recall(NAME);
  if (kept && openers.peek().size === 0) show(kept.body);
  onNews('openers', refreshOpeners);
  // "me" depends on the signed-in person.
  usable.then(() => effect(() => { if (line() === 'live' && session() !== undefined) refreshOpeners(); }));
}
