// The words of the wall, in English and German. A test compares the two.

import { language, locale } from '/shell-words.js';

export const dictionary = {
  en: {
    wall: (name) => `Live wall of ${name}`,
    counts: (pictures, people) => `${pictures === '1' ? '1 picture' : `${pictures} pictures`}, ${
      people === '1' ? '1 person' : `${people} people`}`,
    justNow: 'just now', someone: 'A guest',
    yours: 'Yours too', code: 'Code that leads to the album',
    first: 'The first picture is yours.',
    asked: 'This screen waits until a host lets it in.',
    name: 'Wall',
    wrong: 'No album has this address. Open the wall from the page of its hosts.',
    signedOut: 'This device is signed out. Sign in on it, then open the wall again.',
    closed: 'This album is closed.',
    passphrase: 'This album asks for a passphrase. Open the wall on a device that has joined.',
    lost: 'No connection. New pictures come when it is back.',
    awake: 'This browser may let the screen go dark: set it to stay on.',
    sound: 'Touch the screen once to hear the sounds',
    hearts: (count) => (count === 1 ? '1 heart' : `${count} hearts`),
    picture: (who) => `Picture by ${who ?? 'a guest'}`,
  },

  de: {
    wall: (name) => `Bilderwand von ${name}`,
    counts: (pictures, people) => `${pictures === '1' ? '1 Bild' : `${pictures} Bilder`}, ${
      people === '1' ? '1 Person' : `${people} Leute`}`,
    justNow: 'gerade eben', someone: 'Ein Gast',
    yours: 'Deine auch', code: 'Code, der zum Album führt',
    first: 'Das erste Bild ist deins.',
    asked: 'Dieser Bildschirm wartet, bis ihn ein Gastgeber hereinlässt.',
    name: 'Bilderwand',
    wrong: 'Zu dieser Adresse gibt es kein Album. Öffne die Wand von der Seite der Gastgeber.',
    signedOut: 'Dieses Gerät ist abgemeldet. Melde es an, und öffne dann die Wand noch einmal.',
    closed: 'Dieses Album ist geschlossen.',
    passphrase: 'Dieses Album fragt nach einem Kennwort. Öffne die Wand auf einem Gerät, das schon dabei ist.',
    lost: 'Keine Verbindung. Neue Bilder kommen, wenn sie wieder da ist.',
    awake: 'Dieser Browser lässt den Bildschirm vielleicht ausgehen: Stell ihn so ein, dass er an bleibt.',
    sound: 'Einmal antippen, dann sind die Töne zu hören',
    hearts: (count) => (count === 1 ? '1 Herz' : `${count} Herzen`),
    picture: (who) => `Bild von ${who ?? 'einem Gast'}`,
  },
};

export const words = dictionary[language];
export const count = (number) => number.toLocaleString(locale);
