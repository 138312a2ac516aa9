// The time and the days at which a notification rings by each device's own clock, in words.

import { choose, dayInFull, listed, MONDAY, weekdayName } from '/words.js';

export const dictionary = {
  en: {
    at: (time) => `at ${time} by each device’s clock`,
    daily: 'daily',
    weekly: (days) => `every ${days}`,
    on: (date) => `on ${date}`,
    next: (date) => `next on ${date}`,
  },
  de: {
    at: (time) => `um ${time} nach der Uhr jedes Geräts`,
    daily: 'täglich',
    weekly: (days) => `jeden ${days}`,
    on: (date) => `am ${date}`,
    next: (date) => `als Nächstes am ${date}`,
  },
};

const reader = choose(['en', 'de']);
const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** Rules of daily and weekly days in words, and all others as they are. */
function ruled(every, words, locale) {
  if (every === 'FREQ=DAILY') return words.daily;
  const days = /^FREQ=WEEKLY;BYDAY=([A-Z,]+)$/.exec(every)?.[1].split(',').map((day) => DAYS.indexOf(day));
  return days && !days.includes(-1) ? words.weekly(listed(days.map((day) => weekdayName(MONDAY + day, locale)), locale))
    : every;
}

/** {local, date, every} as the hub has them; `today` is a day since 1970. */
export function scheduleWords({ local, date, every }, today, { language, locale } = reader) {
  const words = dictionary[language];
  const day = date && dayInFull(Date.parse(date) / 86_400_000, today, locale);
  return [words.at(local), every && ruled(every, words, locale), day && (every ? words.next : words.on)(day)]
    .filter(Boolean).join(', ');
}
