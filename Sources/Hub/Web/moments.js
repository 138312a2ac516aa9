// Times and ages in words, in German and English: with the hub's own rules (Swift, compiled to WebAssembly) for where
// days begin and when minutes become hours.

import { signal } from '/ui.js';
import { loadRules } from '/rules.js';
import { language, locale } from '/shell-words.js';
import { moment } from '/words.js';

export const dictionary = {
  en: {
    when: {
      today: ({ time }) => time,
      yesterday: ({ time }) => `yesterday ${time}`,
      tomorrow: ({ time }) => `tomorrow ${time}`,
      week: ({ weekday, time }) => `${weekday} ${time}`,
      date: ({ date, time }) => `${date}, ${time}`,
      year: ({ dateWithYear }) => dateWithYear,
    },
    age: [
      () => 'just now',
      (n) => (n === 1 ? '1 minute ago' : `${n} minutes ago`),
      (n) => (n === 1 ? '1 hour ago' : `${n} hours ago`),
      (n) => (n === 1 ? '1 day ago' : `${n} days ago`),
    ],
  },

  de: {
    when: {
      today: ({ time }) => `${time} Uhr`,
      yesterday: ({ time }) => `gestern ${time} Uhr`,
      tomorrow: ({ time }) => `morgen ${time} Uhr`,
      week: ({ weekday, time }) => `${weekday} ${time} Uhr`,
      date: ({ date, time }) => `${date}, ${time} Uhr`,
      year: ({ dateWithYear }) => dateWithYear,
    },
    age: [
      () => 'gerade eben',
      (n) => (n === 1 ? 'vor 1 Minute' : `vor ${n} Minuten`),
      (n) => (n === 1 ? 'vor 1 Stunde' : `vor ${n} Stunden`),
      (n) => (n === 1 ? 'vor 1 Tag' : `vor ${n} Tagen`),
    ],
  },
};

const words = dictionary[language];

const AGAIN = 5_000; // milliseconds until rules that did not come are asked for once more

/** The rules for days and ages, null until they are loaded; `rulesMissing` if they did not come. */
export const rules = signal(null);
export const rulesMissing = signal(false);

export const fetchRules = () => loadRules().then((them) => rules.set(them), (error) => {
  console.error(error);
  rulesMissing.set(true);
  if (globalThis.WebAssembly) setTimeout(fetchRules, AGAIN); // a browser may have it switched off
});

/** A time in words: "18:40", "yesterday 21:10", "Tuesday 21:10", "3 November, 21:10". */
export function said(at, from, timeZone, { when } = words, tag = locale) {
  const told = moment(at, from, timeZone, tag);
  return when[told.near](told);
}

/** With its date, and with the year if it is far: "24 November, 18:00", "3 November 2025, 21:10". */
export function dated(at, from, timeZone, { when } = words, tag = locale) {
  const told = moment(at, from, timeZone, tag);
  return when.date(told.near === 'year' ? { ...told, date: told.dateWithYear } : told);
}

/** `said` where it is open whether it is over: a weekday alone is the coming one, so one that is over has its date. */
export function saidOrDated(at, from, timeZone, dictionary = words, tag = locale) {
  const isWeekdayBefore = at < from && moment(at, from, timeZone, tag).near === 'week';
  return (isWeekdayBefore ? dated : said)(at, from, timeZone, dictionary, tag);
}

/** "25 minutes ago". */
export function age(at, now) {
  const seconds = Math.max(0, Math.min(Math.floor((now - at) / 1000), 2 ** 31 - 1));
  return words.age[rules().ageUnit(seconds)](rules().ageCount(seconds));
}

/** `age` once its rules are loaded, null before. */
export const ageWords = () => (rules() ? age : null);
