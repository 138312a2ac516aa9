// When to say what, on the clock of the audio output: pure functions, without a page.

/** Seconds that are laid ahead: timers sleep in a hidden page, and sound that was laid before does not. */
export const AHEAD = 1800;
/** The same bound for a clock that speaks each minute. */
export const MOST = 40;
/** Seconds after its instant within which an announcement is still begun. */
const GRACE = 2;
/** Seconds by which the audio clock may run away from the wall clock until what is laid is laid anew. */
const DRIFT = 0.004;
/** Readings of the two clocks that are compared, and the seconds by which one is no longer of the same time. */
const READINGS = 9;
const JUMP = 0.05;
/** Seconds before its beginning after which an announcement stays where it is. */
const SOON = 0.25;

/**
 * The announcements from now on: at most half an hour ahead. `after` is the instant of the last one that was begun.
 * None while it is muted, and none that is over: never a burst.
 */
export function planned(rules, { now, after = -Infinity, mutedUntil = 0 }) {
  const found = [];
  let from = Math.max(after, Math.ceil(now) - GRACE - 1, mutedUntil - 1);
  while (found.length < MOST) {
    const one = rules.next(from);
    if (!one || one.at > now + AHEAD) break;
    found.push(one);
    from = one.at;
  }
  return found;
}

/**
 * Seconds by which the audio clock is ahead of the time since 1970. `stamp` is its getOutputTimestamp, and `wall` the
 * milliseconds since 1970 at which performance.now() was zero, by the clock of now, which may have been set.
 */
export const aheadOf = ({ contextTime, performanceTime }, wall) => contextTime - (wall + performanceTime) / 1000;

/** The last of these readings with a new one; one far off begins anew: a clock was set, or the machine slept. */
export function readings(before, next) {
  const isFar = before.length > 0 && Math.abs(next - middle(before)) > JUMP;
  return [...(isFar ? [] : before), next].slice(-READINGS);
}

/** The median: single readings are some milliseconds off. */
export const middle = (values) => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];

/**
 * The steps from `laid` ([{key, when}]) to `wanted`, at the audio clock's time `now`: {drop, add}. An announcement that
 * has begun is left alone, and so is one that is about to begin, if it is still wanted.
 */
export function changes(laid, wanted, now) {
  const stays = (one) => one.when <= now
    || wanted.some(({ key, when }) => key === one.key && (Math.abs(when - one.when) <= DRIFT || one.when - now < SOON));
  const drop = laid.filter((one) => !stays(one));
  const kept = laid.filter((one) => !drop.includes(one)).map(({ key }) => key);
  return { drop, add: wanted.filter(({ key }) => !kept.includes(key)) };
}

/** The next instant after `now` (seconds) at which a zone's clock shows a minute of the day. */
export function nextTimeOfDay(now, minute, offset) {
  const local = now + offset(now);
  const midnight = local - (((local % 86_400) + 86_400) % 86_400);
  for (let day = 0; day < 3; day += 1) {
    const wall = midnight + day * 86_400 + minute * 60;
    const at = wall - offset(wall - offset(now));
    if (at > now) return Math.floor(at);
  }
  return Math.floor(now) + 86_400;
}
