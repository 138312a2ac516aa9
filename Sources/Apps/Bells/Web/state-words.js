// The words of the room's state in the navigation and on front rooms, in German and English.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    missed: (n) => `${n} missed`,
    since: (time) => `since ${time}`,
    later: 'Later: it waits under Bells',
    look: 'Look',
  },
  de: {
    missed: (n) => `${n} verpasst`,
    since: (time) => `seit ${time}`,
    later: 'Später: Es wartet bei den Glocken',
    look: 'Nachsehen',
  },
};

export const stateWords = dictionary[language];
