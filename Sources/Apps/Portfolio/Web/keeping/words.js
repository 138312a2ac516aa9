// The words about what is kept on this device.

import { de } from '/portfolio/keeping/words-de.js';
import { en } from '/portfolio/keeping/words-en.js';
import { language } from '/portfolio/words.js';

export const dictionary = { en, de };
export const said = dictionary[language];
