// What the shell around all rooms says, in German and English. A test holds the two against each other.

import { choose } from '/words.js';

export const dictionary = {
  en: {
    navigation: 'Pages',
    skip: 'Skip to the content',
    space: 'Space',
    me: 'Me',
    signIn: 'Sign in',
    people: 'People',
    settings: 'Settings',
  },
  de: {
    navigation: 'Seiten',
    skip: 'Zum Inhalt',
    space: 'Space',
    me: 'Ich',
    signIn: 'Anmelden',
    people: 'Leute',
    settings: 'Einstellungen',
  },
};

export const { language, locale } = choose(['en', 'de']);

export const words = dictionary[language];
