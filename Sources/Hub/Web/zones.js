// The offsets of time zones, by the browser's own tables.

const formats = new Map();

function format(timeZone) {
  if (!formats.has(timeZone)) {
    formats.set(timeZone, new Intl.DateTimeFormat('en-GB', {
      timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric',
      minute: 'numeric', second: 'numeric',
    }));
  }
  return formats.get(timeZone);
}

/** Seconds east of UTC of a zone at an instant (seconds since 1970). */
export function offsetAt(instant, timeZone) {
  const parts = format(timeZone).formatToParts(instant * 1000);
  const { year, month, day, hour, minute, second } = Object.fromEntries(parts.map(({ type, value }) => [type, +value]));
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000 - instant;
}

/** True if the clocks of two zones show the same, now and in half a year. One that the browser lacks is another one. */
export function haveSameTime(one, other, now = Math.floor(Date.now() / 1000)) {
  try {
    return [now, now + 182 * 86_400].every((instant) => offsetAt(instant, one) === offsetAt(instant, other));
  } catch {
    return false;
  }
}
