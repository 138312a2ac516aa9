// The words of the history, in German and English.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    title: 'What happened here',
    stranger: 'It is told to those who belong here.',
    signIn: 'Sign in',
    everything: 'Everything',
    rooms: 'Of which room',
    empty: 'Nothing yet. The sign that is turned, the anchor that is dropped: it will stand here.',
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
    empty: 'Noch nichts. Das Schild, das jemand dreht, der Anker, der fällt: Es wird hier stehen.',
    older: 'Frühere zeigen',
    today: 'Heute',
    yesterday: 'Gestern',
  },
};

export const words = dictionary[language];
