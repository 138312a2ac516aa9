// The events whose albums may have the screen in the room. Pure; the time is passed in.

const MINUTE = 60_000;

/** In milliseconds. */
export const LIMITS = {
  before: 15 * MINUTE, // while guests arrive
  after: 60 * MINUTE, // while they leave
  endless: 6 * 60 * MINUTE, // for which an event without an end is taken to last
};

/** Those that take place, placed on their days (/programme/days.js): the one that began last is first. */
export const wallsDue = (events, now) => events
  .filter(({ startsAt, endsAt, endless }) => startsAt - LIMITS.before <= now
    && now < (endless ? startsAt + LIMITS.endless : endsAt + LIMITS.after))
  .sort((one, other) => other.startsAt - one.startsAt);
