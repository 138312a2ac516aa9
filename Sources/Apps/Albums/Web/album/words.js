// The words of a guest's page, in German and English.

import { language } from '/shell-words.js';
import { german } from '/albums/album/words-de.js';
import { english } from '/albums/album/words-en.js';

export const dictionary = { en: english, de: german };
export const words = dictionary[language];

