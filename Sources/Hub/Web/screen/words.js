// The words of the screen in the room, in German and English.

import { language } from '/shell-words.js';

export const dictionary = {
  en: { yours: 'On your phone:', code: 'The code of this address' },
  de: { yours: 'Auf deinem Telefon:', code: 'Der Code dieser Adresse' },
};

export const words = dictionary[language];
