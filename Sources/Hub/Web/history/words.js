// The words of the history, in German and English.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    title: 'What happened here',
    stranger: 'It is told to those who belong here.',
    signIn: 'Sign in',
    everything: 'Everything',
    rooms: 'Of which room',
    empty: 'Nothing yet. What somebody does here will stand on this page.',
    emptyRoom: 'Nothing that concerns everybody.',
    found: (room, count) => `${room}: ${count === 1 ? '1 entry' : `${count || 'no'} entries`}`,
    older: 'Show earlier ones',
    today: 'Today',
    yesterday: 'Yesterday',
  },
  de: {
    title: 'Was hier geschah',
    stranger: 'Erzählt wird es denen, die dazugehören.',
    signIn: 'Anmelden',
    everything: 'Alles',
    rooms: 'Aus welchem Raum',
    empty: 'Noch nichts. Was hier jemand tut, wird auf dieser Seite stehen.',
    emptyRoom: 'Nichts, was alle angeht.',
    found: (room, count) => `${room}: ${count === 1 ? '1 Eintrag' : `${count || 'keine'} Einträge`}`,
    older: 'Frühere zeigen',
    today: 'Heute',
    yesterday: 'Gestern',
  },
};

export const words = dictionary[language];
