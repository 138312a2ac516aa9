// The words about sharing a picture or a gallery.

import { de } from '/portfolio/sharing/words-de.js';
import { en } from '/portfolio/sharing/words-en.js';
import { language } from '/portfolio/words.js';

export const dictionary = { en, de };
export const said = dictionary[language];
