// What the page knows of the space and its sign, how sure that is, and how it is kept up to date.

import { computed, effect, signal } from '/ui.js';
import { HubError, keep } from '/keep.js';
import { ASK_AGAIN, line, onNews, subject, unreachable } from '/live.js';
import { door, now, place } from '/place.js';

const PATIENCE = 250; // an answer within it spares the reader the flash of the last known sign before the present one

const ofSpace = subject('space', () => '/api/v1/space', {
  room: 'space',
  value: place,
  take: (body) => body, // what is the same here may look otherwise: its pictures and its colour follow it
  isTold: false,
  failed(error) {
    if (error instanceof HubError && error.status === 404) place.set(null);
  },
});

const ofSign = subject('sign', () => '/api/v1/space/state', {
  room: 'space',
  failed: (error) => unreachable.set(!(error instanceof HubError) || error.status >= 500),
});

/** Each is undefined until something is known. `space` is null when the hub has not been told of a space yet. */
export const space = place;
export const sign = ofSign.value;

/** When the sign was last known to be what the hub says, in milliseconds since 1970. */
export const signConfirmed = ofSign.confirmed;

/** The first moment, in which no answer is no news yet. */
export const patient = signal(true);

/** The sign is what the hub says at this moment, not merely the last that we heard. */
export const current = computed(() => line() === 'live'
  || (line() === 'connecting' && !unreachable() && signConfirmed() > 0 && now() - signConfirmed() < ASK_AGAIN));

effect(() => door.set({
  state: sign()?.state ?? { true: 'open', false: 'closed' }[sign()?.open] ?? 'unknown', isCurrent: current(),
}));

async function refreshSign() {
  if (await ofSign.refresh()) unreachable.set(false);
}

/** What the hub answered to whoever turned the sign here: not a moment later than the news of it. */
export function tellSign(body) {
  if (ofSign.tell(body)) keep('sign', body);
}

onNews('line', () => { refreshSign(); });
onNews('ask', () => { refreshSign(); });
onNews('live', () => { ofSpace.refresh(); });
onNews('settings', (data, commit) => {
  ofSpace.heard(commit);
  ofSpace.refresh();
  refreshSign();
});
onNews('state', (data, commit) => {
  if (!data || !('open' in data)) refreshSign();
  else if (ofSign.tell(data, Date.now(), commit)) keep('sign', data);
});

/** Shows what is remembered, and asks for what is true. Done when there is a sign to show, or none. */
export async function start() {
  ofSpace.remember();
  const answered = Promise.all([ofSpace.refresh(), refreshSign()]);
  await Promise.race([answered, new Promise((resolve) => { setTimeout(resolve, PATIENCE); })]);
  await ofSign.remember();
  patient.set(false);
  if (sign.peek() === undefined) await answered;
}
