// The words of one's own uploads.

import { de } from '/portfolio/uploading/words-de.js';
import { en } from '/portfolio/uploading/words-en.js';
import { language } from '/portfolio/words.js';

export const dictionary = { en, de };
export const said = dictionary[language];
