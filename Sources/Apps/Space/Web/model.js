// The page's data about the space and its sign, how certain it is, and its updates.

import { computed, effect, signal } from '/ui.js';
import { isAway, keep } from '/keep.js';
import { ASK_AGAIN, line, onNews, subject, unreachable } from '/live.js';
import { door, now, place } from '/place.js';
import { hasParts } from '/room-choice.js';

const FRESH = 2_000; // milliseconds after the page opened in which the first answer stands until the page can be used
const PATIENCE = 250; // milliseconds; an answer within this time avoids showing the last known sign for a moment
const AHEAD = 60_000; // milliseconds by which this device's clock may be ahead of the hub's, unnoticed (keep.js)

const ofSpace = subject('space', () => '/api/v1/space', {
  room: 'space',
  value: place,
  take: (body) => body, // also if it is equal: the pictures and the colour depend on it
  isTold: false,
  failed(error) {
    if (!isAway(error) && error.status === 404) place.set(null);
  },
});

const ofSign = subject('sign', () => '/api/v1/space/state', {
  room: 'space',
  failed(error) {
    unreachable.set(error !== null && isAway(error));
  },
});

/** As `line`, or 'asked' where no connection gets through although the hub answers: it is asked from time to time. */
export const spaceLine = computed(() => (line() === 'lost' && ofSign.isAnswered() ? 'asked' : line()));

/** Each is undefined until known. `space` is null if it is not set up yet. */
export const space = place;
export const sign = ofSign.value;

/** The time when the hub last confirmed the sign, in milliseconds since 1970, by the hub's clock. */
export const signConfirmed = ofSign.confirmed;

/** True for a first moment, in which a missing answer is not shown. */
export const patient = signal(true);

/** True if the sign is current, not merely the last known one: a connection alone tells only of later changes. */
export const current = computed(() => (line() === 'live' && ofSign.isAnswered())
  || (line() === 'connecting' && !unreachable() && signConfirmed() > 0 && now() - signConfirmed() < ASK_AGAIN));

effect(() => door.set(hasParts('space') ? {
  state: sign()?.state ?? { true: 'open', false: 'closed' }[sign()?.open] ?? 'unknown', isCurrent: current(),
} : undefined));

/** Shows the hub's answer to a turn made here, without waiting for its event. */
export function tellSign(body) {
  if (ofSign.tell(body)) keep('sign', body);
}

let isFresh = false;

onNews('line', () => {
  isFresh = ofSign.isAnswered.peek() && performance.now() < FRESH;
  if (!isFresh) ofSign.refresh();
});
onNews('ask', () => { ofSign.refresh(); });
onNews('live', () => {
  if (isFresh) ofSign.refresh();
  ofSpace.refresh();
});
onNews('settings', (data, commit) => {
  ofSpace.heard(commit);
  ofSpace.refresh();
  ofSign.refresh();
});
onNews('state', (data, commit) => {
  if (!data || !('open' in data)) ofSign.refresh();
  else if (ofSign.tell(data, Date.now(), commit)) keep('sign', data);
});

// When a closed space opens next was worked out when it was told: once that has passed at the hub, too, it is asked for
// anew.
let passed;
effect(() => {
  const { open, opens } = sign() ?? {};
  if (open !== false || !opens || opens === passed || Date.parse(opens) + AHEAD > now()) return;
  passed = opens;
  if (line.peek() === 'live') ofSign.refresh(); // else a new connection asks
});

/** Shows the stored state, and asks the hub. Resolved when there is a sign to show, or none. */
export async function start() {
  ofSpace.remember();
  const answered = Promise.all([ofSpace.refresh(), ofSign.refresh()]);
  await Promise.race([answered, new Promise((resolve) => { setTimeout(resolve, PATIENCE); })]);
  await ofSign.remember();
  patient.set(false);
  if (sign.peek() === undefined) await answered;
}
