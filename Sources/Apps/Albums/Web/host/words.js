// The words of the page of an album's hosts.

import { language, locale } from '/shell-words.js';
import { dayOf, timeOf } from '/albums/album/gallery/words.js';
import { english } from '/albums/host/words-en.js';
import { german } from '/albums/host/words-de.js';

export const dictionary = { en: english, de: german };
export const words = dictionary[language];

export const count = (number) => number.toLocaleString(locale);

const date = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long' });

/** "21 December" */
export const dateOf = (at) => date.format(at);

/** "18:40" for today, "yesterday 18:40", "tomorrow 12:00", else with the day. */
export function said(instant) {
  const at = typeof instant === 'number' ? instant * 1000 : Date.parse(instant);
  if (Number.isNaN(at)) return '';
  const days = Math.round((new Date(at).setHours(0, 0, 0, 0) - new Date().setHours(0, 0, 0, 0)) / 86_400_000);
  if (days === 0) return words.at(timeOf(at));
  return `${days === 1 ? words.tomorrow : dayOf(at)} ${words.at(timeOf(at))}`;
}
