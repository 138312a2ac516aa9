// The reader's language, and the formats of times. An app's words are in its own dictionary.

/**
 * The first of the reader's languages that is available, and its full tag (such as de-AT), which decides how dates are
 * written.
 */
export function choose(offered, wanted = globalThis.navigator?.languages ?? []) {
  for (const tag of wanted) {
    const language = tag.toLowerCase().split('-')[0];
    if (offered.includes(language)) return { language, locale: tag };
  }
  return { language: offered[0], locale: offered[0] };
}

const formats = new Map();

function format(locale, timeZone, options) {
  const name = JSON.stringify([locale, timeZone, options]);
  if (!formats.has(name)) {
    formats.set(name, new Intl.DateTimeFormat(locale, { timeZone, hourCycle: 'h23', ...options }));
  }
  return formats.get(name);
}

const DAY = 86_400_000;

/**
 * An instant (milliseconds since 1970) as civil date and time of a time zone; `days` is its date as days since 1970.
 */
export function civil(at, timeZone) {
  const options = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' };
  const parts = format('en-u-ca-gregory', timeZone, options).formatToParts(at);
  const { year, month, day, hour, minute } = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]));
  return { year, month, day, hour, minute, days: Math.round(Date.UTC(year, month - 1, day) / DAY) };
}

/** 18:40 */
export const clock = ({ hour, minute }) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;

/** A Date in this device's own zone, as ISO 8601 writes it: 2026-11-20T18:40:00 */
export const isoHere = (date) =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);

const day = (options) => (days, locale) => format(locale, 'UTC', options).format(days * DAY);

/** For days since 1970: "Friday", "Fri", "20 November", "20 November 2026", "20 Nov", in the locale's format. */
export const weekdayName = day({ weekday: 'long' });
export const weekdayShort = day({ weekday: 'short' });
export const dateLong = day({ day: 'numeric', month: 'long' });
export const dateWithYear = day({ day: 'numeric', month: 'long', year: 'numeric' });
export const dateShort = day({ day: 'numeric', month: 'short' });
export const dateShortWithYear = day({ day: 'numeric', month: 'short', year: 'numeric' });
export const monthName = day({ month: 'long', year: 'numeric' });
const dayLong = day({ weekday: 'long', day: 'numeric', month: 'long' });
export const dayLongWithYear = day({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });

/** The year of a day since 1970. */
export const yearOf = (days) => new Date(days * DAY).getUTCFullYear();

/** "Saturday 21 November", with the year if it is not that of today. */
export const dayInFull = (days, today, locale) =>
  (yearOf(days) === yearOf(today) ? dayLong : dayLongWithYear)(days, locale);

/** A Monday, in days since 1970: the days of the week are named by those from it on. */
export const MONDAY = 4;

/** "Ada, Ben and Jonna". */
export const listed = (names, locale) => new Intl.ListFormat(locale).format(names);

/**
 * An instant in relation to another: its time, and the distance of its day: 'today', 'yesterday', 'tomorrow', 'week'
 * (the weekday suffices), 'date', or 'year' (the year is needed). Works without the rules, so that the sign need not
 * wait.
 */
export function moment(at, from, timeZone, locale) {
  const it = civil(at, timeZone);
  const base = civil(from, timeZone);
  const distance = it.days - base.days;
  const near = { '0': 'today', '-1': 'yesterday', '1': 'tomorrow' }[distance];
  return {
    near: near ?? (Math.abs(distance) < 7 ? 'week' : Math.abs(distance) < 300 ? 'date' : 'year'),
    time: clock(it),
    weekday: weekdayName(it.days, locale),
    date: dateLong(it.days, locale),
    dateWithYear: dateWithYear(it.days, locale),
  };
}
