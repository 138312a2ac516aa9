// The words of the screen in the room, in German and English.

import { choose } from '/words.js';

export const dictionary = {
  en: { yours: 'On your phone:', code: 'The code of this address' },
  de: { yours: 'Auf deinem Telefon:', code: 'Der Code dieser Adresse' },
};

export const { language } = choose(['en', 'de']);
export const words = dictionary[language];
