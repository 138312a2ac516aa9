// The openers of events, and requests for openers.

import { computed, effect } from '/ui.js';
import { hubAhead } from '/keep.js';
import { line, onNews, subject, usable } from '/live.js';
import { change, may, session } from '/session.js';
import { DAY, DAYS_AHEAD, dateOf } from '/programme/model.js';

const known = subject('openers', () => {
  const days = (Date.now() + hubAhead()) / DAY;
  return `/api/v1/space/openers?from=${dateOf(days - 2)}&to=${dateOf(days + DAYS_AHEAD)}`;
}, { room: 'programme', isTold: false });

/** By the event's id: {event, wanted, people: [{name, me}]}. */
const openers = computed(() => new Map((known.value()?.openers ?? []).map((one) => [one.event, one])));

const none = { wanted: false, people: [] };
export const openersOf = (event) => openers().get(event.id) ?? none;

/** True if an opener is requested and nobody has volunteered. */
export const isUnopened = ({ wanted, people }) => wanted && people.length === 0;

/** The ids of events without a requested opener, for those who may open. */
export const needy = computed(() => new Set(may('programme.open-for')
  ? [...openers().values()].filter(isUnopened).map(({ event }) => event) : []));

const refreshOpeners = () => { known.refresh(); };

/** Shows it at once, and asks for the list: an answer that is on its way may be older than this one, or newer. */
function take(one) {
  known.value.set({ openers: [...new Map(openers.peek()).set(one.event, one).values()] });
  refreshOpeners();
}

const address = ({ id }) => `/api/v1/space/openers/${encodeURIComponent(id)}`;

/** Requests an opener, or withdraws the request. Throws as `change` does, and so do the next two. */
export const setWanted = async (event, wanted) => take(await change('PUT', address(event), { wanted }));
export const volunteer = async (event) => take(await change('POST', `${address(event)}/me`));
export const withdraw = async (event) => take(await change('DELETE', `${address(event)}/me`));

export function startOpeners() {
  known.remember();
  onNews('openers', refreshOpeners);
  // "me" depends on the signed-in person.
  usable.then(() => effect(() => { if (line() === 'live' && session() !== undefined) refreshOpeners(); }));
}
