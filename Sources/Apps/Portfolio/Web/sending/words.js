// The words of sending to clients.

import { de } from '/portfolio/sending/words-de.js';
import { en } from '/portfolio/sending/words-en.js';
import { language } from '/portfolio/words.js';

export const dictionary = { en, de };
export const said = dictionary[language];
