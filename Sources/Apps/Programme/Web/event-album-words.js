// The words about an event's album, in German and English.

import { language, locale } from '/shell-words.js';

const moment = (at, timeZone) => new Intl.DateTimeFormat(locale, {
  weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone,
}).format(at);

export const dictionary = {
  en: {
    title: 'Everybody’s pictures',
    none: 'With an album, everybody’s pictures of it come together: a code stands here and on the table, and nobody '
      + 'needs an account.',
    wish: 'With an album',
    who: 'Who comes in?',
    choice: {
      open: 'Whoever has the code. It stands here for everybody who sees this page.',
      family: 'Whoever a host lets in. Only members see the code here.',
    },
    every: 'An album each time it takes place',
    make: 'Make the album',
    cancel: 'Not now',
    code: 'Code that leads to the album',
    how: {
      open: 'Scan the code, or press the button: you are in, without an account.',
      family: 'Scan the code, or press the button, and ask: a host lets you in.',
    },
    until: (at, zone) => `It takes pictures until ${moment(at, zone)}.`,
    everyTime: 'Each time it takes place gets an album, two weeks before.',
    closed: 'The album takes no more pictures. Whoever is in still sees all of them.',
    open: 'To the album',
    print: 'Print the code',
    host: 'For hosts',
    release: 'Take the album off this event',
    releaseAll: 'Take the album off this event, and make none for later times',
  },

  de: {
    title: 'Die Bilder von allen',
    none: 'Mit einem Album kommen die Bilder von allen zusammen: Der Code dafür steht hier und auf dem Tisch, und '
      + 'niemand braucht ein Konto.',
    wish: 'Mit Album',
    who: 'Wer kommt hinein?',
    choice: {
      open: 'Wer den Code hat. Er steht hier für alle, die diese Seite sehen.',
      family: 'Wen ein Gastgeber hereinlässt. Den Code sehen hier nur Mitglieder.',
    },
    every: 'Jedes Mal ein Album, wenn der Termin stattfindet',
    make: 'Album anlegen',
    cancel: 'Jetzt nicht',
    code: 'Code, der zum Album führt',
    how: {
      open: 'Scanne den Code, oder drück auf den Knopf: Du bist dabei, ganz ohne Konto.',
      family: 'Scanne den Code, oder drück auf den Knopf, und frag an: Ein Gastgeber lässt dich herein.',
    },
    until: (at, zone) => `Es nimmt bis ${moment(at, zone)} Uhr Bilder an.`,
    everyTime: 'Jeder Termin der Reihe bekommt ein eigenes Album, zwei Wochen vorher.',
    closed: 'Das Album nimmt keine Bilder mehr an. Wer dabei ist, sieht weiter alle.',
    open: 'Zum Album',
    print: 'Code drucken',
    host: 'Für Gastgeber',
    release: 'Das Album vom Termin lösen',
    releaseAll: 'Das Album vom Termin lösen, und später keines mehr anlegen',
  },
};

export const albumWords = dictionary[language];
