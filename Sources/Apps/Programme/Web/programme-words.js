// Further words of the programme, in German and English.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    programme: 'Programme',
    empty: {
      owner: 'It comes from calendars, and there is none yet. The address of one is enough, such as Google’s or '
        + 'Nextcloud’s; a file will do as well.',
      others: 'Nothing is in it so far.',
    },
    search: 'Search the programme',
    showEverything: 'Show everything',
    found: (count) => (count === 1 ? '1 event' : `${count} events`),
    foundNothing: 'Nothing found.',
    calendars: 'Calendars',
    calendarNumber: (number) => `Calendar ${number}`,
    views: 'View',
    view: { list: 'List', month: 'Month', favourites: 'Favourites' },
    goTo: 'Go to',
    goToDate: 'Go to a date',
    dayOf: (day, count) => `day ${day} of ${count}`,
    favourite: (title, day = '') => `Favourite: ${title}${day && `, ${day}`}`,
  },

  de: {
    programme: 'Programm',
    empty: {
      owner: 'Es kommt aus Kalendern, und noch gibt es keinen. Die Adresse von einem genügt, etwa von Google oder '
        + 'Nextcloud; eine Datei geht auch.',
      others: 'Noch steht nichts darin.',
    },
    search: 'Im Programm suchen',
    showEverything: 'Alles zeigen',
    found: (count) => (count === 1 ? '1 Termin' : `${count} Termine`),
    foundNothing: 'Nichts gefunden.',
    calendars: 'Kalender',
    calendarNumber: (number) => `Kalender ${number}`,
    views: 'Ansicht',
    view: { list: 'Liste', month: 'Monat', favourites: 'Gemerkt' },
    goTo: 'Gehe zu',
    goToDate: 'Zu einem Datum gehen',
    dayOf: (day, count) => `Tag ${day} von ${count}`,
    favourite: (title, day = '') => `Merken: ${title}${day && `, ${day}`}`,
  },
};

export const programmeWords = dictionary[language];
