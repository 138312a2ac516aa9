// The words of the programme's state, in German and English.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    now: (title) => `Now: ${title}`,
    tonight: 'tonight',
    today: 'today',
    nobodyOpens: (count) => (count === 1 ? 'Nobody opens yet' : `Nobody opens for ${count} events yet`),
  },
  de: {
    now: (title) => `Jetzt: ${title}`,
    tonight: 'heute',
    today: 'heute',
    nobodyOpens: (count) => (count === 1 ? 'Noch schließt niemand auf'
      : `Für ${count} Termine schließt noch niemand auf`),
  },
};

export const stateWords = dictionary[language];
