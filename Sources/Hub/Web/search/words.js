// The words of the search, in German and English.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    title: 'Search',
    field: (isOwner) => `Events, pictures, notifications${isOwner ? ', people' : ''}`,
    searching: 'Searching …',
    nothing: 'Nothing found. All words have to be in it; fewer letters find more.',
    found: (count) => (count === 1 ? '1 hit' : `${count} hits`),
    more: (count) => (count === 1 ? 'and one more' : `and ${count} more`),
    unread: (names) => `Could not be searched just now: ${names}.`,
    people: 'People',
  },
  de: {
    title: 'Suchen',
    field: (isOwner) => `Termine, Bilder, Mitteilungen${isOwner ? ', Leute' : ''}`,
    searching: 'Sucht …',
    nothing: 'Nichts gefunden. Alle Wörter müssen vorkommen; weniger Buchstaben finden mehr.',
    found: (count) => (count === 1 ? '1 Treffer' : `${count} Treffer`),
    more: (count) => (count === 1 ? 'und noch einer' : `und noch ${count}`),
    unread: (names) => `Gerade nicht zu durchsuchen: ${names}.`,
    people: 'Leute',
  },
};

export const words = dictionary[language];
