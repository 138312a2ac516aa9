// The words of the list of all settings, in German and English.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    rooms: 'Rooms', choose: 'Show or hide rooms', chooseText: 'their order, and what people see first',
    house: 'House', people: 'who may what, invitations, tokens', devices: 'My devices',
    devicesText: 'where I am signed in, passkeys',
    place: 'Name and place', placeText: 'whose it is, where, and its time zone',
    manual: 'Manual', manualText: 'how all of it is used and set up',
    screen: 'Screen in the room', screenText: 'for a display that nobody touches',
  },

  de: {
    rooms: 'Räume', choose: 'Räume zeigen oder verbergen', chooseText: 'ihre Reihenfolge, und was man zuerst sieht',
    house: 'Haus', people: 'wer was darf, Einladungen, Tokens', devices: 'Meine Geräte',
    devicesText: 'wo ich angemeldet bin, Passkeys',
    place: 'Name und Ort', placeText: 'wem es gehört, wo es ist, und die Zeitzone',
    manual: 'Handbuch', manualText: 'wie man alles benutzt und einrichtet (meist auf Englisch)',
    screen: 'Bildschirm im Raum', screenText: 'für eine Anzeige, die niemand anfasst',
  },
};

export const listWords = dictionary[language];
