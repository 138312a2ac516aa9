// The words of the programme's state, in German and English.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    now: (title) => `Now: ${title}`,
    tonight: 'tonight',
    today: 'today',
    nobodyOpens: (count) => (count === 1 ? 'Nobody opens yet' : `Nobody opens yet, ${count} times`),
  },
  de: {
    now: (title) => `Jetzt: ${title}`,
    tonight: 'heute',
    today: 'heute',
    nobodyOpens: (count) => (count === 1 ? 'Noch schließt niemand auf' : `Noch schließt niemand auf, ${count} Mal`),
  },
};

export const stateWords = dictionary[language];
