// The words of the shell around all rooms, in German and English. A test compares the two.

import { choose } from '/words.js';

export const dictionary = {
  en: {
    navigation: 'Rooms',
    more: 'More',
    moreRooms: 'More rooms',
    onWatch: 'On watch',
    close: 'Close',
    rings: (room) => `, ${room} rings`,
    ours: 'Eightbells, on our own machine',
    skip: 'Skip to the content',
    me: 'Me',
    signIn: 'Sign in',
    search: 'Search',
    people: 'People',
    settings: 'Settings',
    settingsShort: 'Settings',
    offline: 'The hub cannot be reached.',
    refused: 'The hub did not accept it.',
    old: 'This browser is too old for some of what is here. A newer one shows more.',
    newer: 'This device has data of a newer Eightbells, which this one leaves alone. Until the hub is updated, '
      + 'nothing is kept here.',
  },
  de: {
    navigation: 'Räume',
    more: 'Mehr',
    moreRooms: 'Mehr Räume',
    onWatch: 'Auf Wache',
    close: 'Schließen',
    rings: (room) => `, ${room} läutet`,
    ours: 'Eightbells, auf unserem eigenen Rechner',
    skip: 'Zum Inhalt',
    me: 'Ich',
    signIn: 'Anmelden',
    search: 'Suchen',
    people: 'Leute',
    settings: 'Einstellungen',
    settingsShort: 'Einstel\u00ADlungen',
    offline: 'Der Server ist nicht erreichbar.',
    refused: 'Der Server hat es nicht angenommen.',
    old: 'Dieser Browser ist für manches hier zu alt. Ein neuerer zeigt mehr.',
    newer: 'Auf diesem Gerät liegen Daten eines neueren Eightbells, die dieses nicht anrührt. Bis der Server '
      + 'aktualisiert ist, wird hier nichts gespeichert.',
  },
};

export const { language, locale } = choose(['en', 'de']);

export const words = dictionary[language];
