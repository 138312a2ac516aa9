// What the programme says beyond the words of the page, in German and English.

import { choose } from '/words.js';

export const dictionary = {
  en: {
    programme: 'Programme',
    search: 'Search the programme',
    clear: 'Clear the search',
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
    month: {
      before: 'Month before',
      after: 'Next month',
      today: 'Today',
      help: 'Arrow keys choose the day',
      nothing: 'Nothing on this day.',
      count: (count) => (count === 0 ? 'no events' : count === 1 ? '1 event' : `${count} events`),
      more: (count) => `+${count}`,
      past: 'What is over is not kept on this page.',
    },
  },

  de: {
    programme: 'Programm',
    search: 'Im Programm suchen',
    clear: 'Suche löschen',
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
    month: {
      before: 'Monat davor',
      after: 'Nächster Monat',
      today: 'Heute',
      help: 'Mit den Pfeiltasten einen Tag wählen',
      nothing: 'An diesem Tag ist nichts.',
      count: (count) => (count === 0 ? 'keine Termine' : count === 1 ? '1 Termin' : `${count} Termine`),
      more: (count) => `+${count}`,
      past: 'Was vorbei ist, steht hier nicht mehr.',
    },
  },
};

export const programmeWords = dictionary[choose(['en', 'de']).language];
