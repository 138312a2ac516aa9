// The words about a permission at Flickr.

import { de } from '/portfolio/adding/words-de.js';
import { en } from '/portfolio/adding/words-en.js';
import { language } from '/portfolio/words.js';

export const dictionary = { en, de };
export const said = dictionary[language];
