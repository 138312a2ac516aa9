// The words of the list of albums, in English and German. A test compares the two.

import { language, locale } from '/shell-words.js';

export const dictionary = {
  en: {
    title: 'Albums',
    intro: 'One code on the table, and everybody’s pictures of the day come together: on all their phones, and on a '
      + 'screen in the room. Nobody needs an account.',
    none: 'There is no album yet.',
    noneText: 'Give one a name, print its code, and put it where people sit.',
    noneToMake: 'Whoever makes one can invite you with its link.',
    name: 'What is it for?', placeholder: 'Lena and Tom',
    make: 'Make an album',
    pictures: (count) => (count === '1' ? '1 picture' : `${count} pictures`),
    asked: (count) => (count === '1' ? '1 wants to come in' : `${count} want to come in`),
    waiting: (count) => (count === '1' ? '1 picture waits' : `${count} pictures wait`),
    closed: 'closed',
    shared: (count) => (count === '1' ? 'A shared picture waits for its album'
      : `${count} shared pictures wait for an album`),
    here: 'On this device', hereText: 'Joined with a link or a code.',
    outside: 'Albums are made by members. With a link or a code you come in without an account: open it, or scan it.',
    signIn: 'Sign in',
    unreachable: 'The hub cannot be reached. Albums that you have opened here still open.',
  },

  de: {
    title: 'Alben',
    intro: 'Ein Code auf dem Tisch, und die Bilder von allen kommen zusammen: auf ihren Telefonen und auf einem '
      + 'Bildschirm im Raum. Niemand braucht ein Konto.',
    none: 'Es gibt noch kein Album.',
    noneText: 'Gib einem einen Namen, druck seinen Code, und leg ihn hin, wo die Leute sitzen.',
    noneToMake: 'Wer eins anlegt, kann dich mit dem Link dazu einladen.',
    name: 'Wofür ist es?', placeholder: 'Lena und Tom',
    make: 'Album anlegen',
    pictures: (count) => (count === '1' ? '1 Bild' : `${count} Bilder`),
    asked: (count) => (count === '1' ? '1 möchte herein' : `${count} möchten herein`),
    waiting: (count) => (count === '1' ? '1 Bild wartet' : `${count} Bilder warten`),
    closed: 'geschlossen',
    shared: (count) => (count === '1' ? 'Ein geteiltes Bild wartet auf sein Album'
      : `${count} geteilte Bilder warten auf ein Album`),
    here: 'Auf diesem Gerät', hereText: 'Mit einem Link oder Code dabei.',
    outside: 'Alben legen Mitglieder an. Mit einem Link oder Code kommst du ohne Konto herein: Öffne ihn, oder scanne '
      + 'ihn.',
    signIn: 'Anmelden',
    unreachable: 'Der Server ist nicht erreichbar. Alben, die du hier schon geöffnet hast, gehen trotzdem auf.',
  },
};

export const words = dictionary[language];
export const count = (number) => number.toLocaleString(locale);
