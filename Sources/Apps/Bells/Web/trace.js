// The trace of a notification on its way to a device: pure functions, without a page.

const RANG = new Set(['shown', 'acted']);
const OVER = new Set(['withdrawn', 'acted']); // of the notification: a device that comes now shows nothing
const KINDS = {
  queued: '', sent: 'good', delivered: 'good', shown: 'good', acted: 'good', suppressed: 'warn', withdrawn: '',
  expired: 'bad', gone: 'bad', failed: 'bad',
};

/** The outcome on a device: 'rang', 'came' (it has it), 'sent', 'waits', 'not', 'away' (over, unseen). */
export function outcomeOf({ events, pending }, state = 'active') {
  if (events.some(({ what }) => RANG.has(what))) return 'rang';
  const isWithdrawn = events.some(({ what }) => what === 'withdrawn');
  if (!isWithdrawn && events.some(({ what }) => what === 'delivered')) return 'came';
  const last = events.at(-1)?.what;
  if (['expired', 'gone', 'failed'].includes(last)) return 'not';
  if (isWithdrawn || OVER.has(state)) return 'away';
  if (last === 'suppressed') return pending ? 'waits' : 'not';
  return events.some(({ what }) => what === 'sent') ? 'sent' : 'waits';
}

/** True when nothing more is to be expected of a try. */
export const isOver = (device) => ['rang', 'not', 'away'].includes(outcomeOf(device));

/** The event that says why it did not ring, or rang late; undefined if none has a reason. */
export const decisive = ({ events }) => events.findLast(({ code }) => code);

/** The lines of a trace: {at, what, kind, code, detail, reason, after}, `after` in milliseconds since `began`. */
export const lines = ({ events }, began) => events.map((event) => ({
  ...event, kind: KINDS[event.what] ?? '', after: Math.max(0, Date.parse(event.at) - began),
}));

/** Milliseconds until the first device showed it; undefined if none has. */
export function firstShown({ at, devices }) {
  const times = devices.flatMap(({ events }) => events.filter(({ what }) => RANG.has(what)).map((one) => one.at));
  if (!times.length) return undefined;
  return Math.max(0, Math.min(...times.map((one) => Date.parse(one))) - Date.parse(at));
}

/** 0.4 s, 12 s, 3 min */
export function duration(ms, locale) {
  const [value, unit, digits] = ms < 10_000 ? [ms / 1000, 's', 1] : ms < 120_000 ? [ms / 1000, 's', 0]
    : ms < 7_200_000 ? [ms / 60_000, 'min', 0] : [ms / 3_600_000, 'h', 0];
  const length = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return `${value.toLocaleString(locale, length)}\u00a0${unit}`;
}
