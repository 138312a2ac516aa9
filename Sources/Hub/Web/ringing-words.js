// The words around alarms, in German and English. A test compares the two.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    title: 'Rings now',
    more: (count) => `and ${count} more`,
    above: 'The answer is at the top of the page.',
  },
  de: {
    title: 'Es läutet',
    more: (count) => `und noch ${count}`,
    above: 'Die Antwort steht oben auf der Seite.',
  },
};

export const words = dictionary[language];
