// The player's words, in the language of the browser. Those of the room are many, and a client needs none of them.

import { choose } from '/words.js';
import { dayIn } from '/portfolio/days.js';
import { de } from '/portfolio/player/words-de.js';
import { en } from '/portfolio/player/words-en.js';

export const dictionary = { en, de };
export const { language, locale } = choose(['en', 'de']);
export const words = dictionary[language];
export const count = (number) => number.toLocaleString(locale);
export const dayOf = dayIn(locale);
