// Which pictures stand beneath one heading: those of some hours of a day, or of a day in a long album. Pure.

const HOUR = 3_600_000; // milliseconds
const DAY = 24 * HOUR;
const LONG = 3 * DAY; // an album of more is told by days
const MANY = 31; // days: of an album with more, one chooses among its months
const ENOUGH = 9; // pictures: fewer are joined with those of the next hour of the same day

/** A picture's moment in milliseconds since 1970. */
export const momentOf = ({ at }) => (typeof at === 'number' ? at * 1000 : Date.parse(at));

/** When a picture was taken by its camera's clock, read as the reader's time; null if nobody knows. */
export function takenAt({ taken }) {
  const at = taken ? Date.parse(taken) : NaN;
  return Number.isNaN(at) ? null : at;
}

/** Of an hour that comes twice, each is one: `setMinutes` would take the second for the first. */
function wholeHour(at) {
  const time = new Date(at);
  return at - time.getMinutes() * 60_000 - time.getSeconds() * 1000 - time.getMilliseconds();
}
const wholeDay = (at) => new Date(at).setHours(0, 0, 0, 0);

/** The runs of moments (rising or falling) that lie in the same hour, or day: {from, first, count}. */
function runs(moments, whole, length) {
  const found = [];
  let from = NaN;
  for (let index = 0; index < moments.length; index += 1) {
    const at = moments[index];
    // Only a change of the hour needs a calendar; summer time moves whole hours, so hours are safe to compare.
    if (!(at >= from && at < from + length)) {
      from = whole(at);
      found.push({ from, first: index, count: 0 });
    }
    found.at(-1).count += 1;
  }
  return found;
}

/** The same for pictures by when they were taken; those of which nobody knows are one group at the end. */
export function groupsByTaking(pictures) {
  const moments = pictures.map(takenAt);
  const unknown = moments.indexOf(null);
  if (unknown < 0) return groupsOf(moments);
  return [...groupsOf(moments.slice(0, unknown)), { kind: 'untimed', first: unknown, count: moments.length - unknown }];
}

/**
 * The spans among which a reader chooses when: the groups that have a time, or of many days their months ({kind:
 * 'month', from, until}).
 */
export function spansOf(groups) {
  const timed = groups.filter(({ kind }) => kind !== 'untimed');
  if (timed.length <= MANY || timed[0].kind !== 'day') return timed;
  const months = new Map();
  for (const day of timed) {
    const [year, month] = [new Date(day.from).getFullYear(), new Date(day.from).getMonth()];
    const [from, until] = [month, month + 1].map((one) => new Date(year, one).getTime());
    months.set(from, { kind: 'month', from, until });
  }
  return [...months.values()];
}

/**
 * The groups of pictures, newest first, by their moments: {kind: 'hours' | 'day', from, until, first, count}. Groups
 * that are complete stay as they are when newer pictures come.
 */
export function groupsOf(moments) {
  if (moments.length === 0) return [];
  if (moments[0] - moments.at(-1) > LONG) {
    return runs(moments, wholeDay, 23 * HOUR).reduce((days, one) => {
      const last = days.at(-1); // the hour that a day of 25 hours has more
      if (last?.from === one.from) last.count += one.count;
      else days.push({ kind: 'day', ...one, until: one.from + DAY });
      return days;
    }, []);
  }
  const groups = [];
  for (const one of runs(moments, wholeHour, HOUR).reverse()) { // the oldest first
    const last = groups.at(-1);
    if (last && last.count < ENOUGH && wholeDay(last.from) === wholeDay(one.from)) {
      last.until = Math.max(last.until, one.from + HOUR);
      last.first = one.first;
      last.count += one.count;
    } else {
      groups.push({ kind: 'hours', ...one, until: one.from + HOUR });
    }
  }
  return groups.reverse();
}
