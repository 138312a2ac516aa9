// The words of the printed card. The page speaks the reader's language, the card both: its guests are not known.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    title: 'The code, to print',
    back: 'Back to the album',
    text: 'Whoever scans it comes to the album. Print it again whenever you like: the code stays the same '
      + 'until a host makes a new link.',
    print: 'Print', format: 'Format', sheet: 'One large sheet', cards: 'Four cards for tables',
    code: 'Code that leads to the album',
    family: 'Whoever scans it waits for your yes. The album’s options let in everybody who has the code.',
    wrong: 'There is no album at this address any more. Print the code from the page of its hosts.',
    paper: {
      call: 'Your pictures, too', how: 'Scan, join, done. Nobody needs an account, and your name is up to you.',
      family: 'Scan and join: a host will let you in. Nobody needs an account.',
    },
  },
  de: {
    title: 'Der Code zum Drucken',
    back: 'Zurück zum Album',
    text: 'Wer ihn scannt, kommt zum Album. Du kannst ihn jederzeit wieder drucken: Der Code bleibt derselbe, '
      + 'bis ein Gastgeber einen neuen Link macht.',
    print: 'Drucken', format: 'Format', sheet: 'Ein großes Blatt', cards: 'Vier Karten für Tische',
    code: 'Code, der zum Album führt',
    family: 'Wer ihn scannt, wartet auf dein Ja. In den Optionen des Albums lässt du alle herein, die den Code haben.',
    wrong: 'Unter dieser Adresse gibt es kein Album mehr. Druck den Code von der Seite der Gastgeber.',
    paper: {
      call: 'Deine Bilder auch', how: 'Scannen, mitmachen, fertig. Ganz ohne Konto, und der Name steht dir frei.',
      family: 'Scannen und mitmachen: Gleich lässt dich jemand herein. Ganz ohne Konto.',
    },
  },
};

export const words = dictionary[language];
