// The words of one's own uploads, in English and German. A test compares the two.

import { language } from '/shell-words.js';

const many = (count, one, more) => (count === '1' ? `1 ${one}` : `${count} ${more}`);

export const dictionary = {
  en: {
    title: 'Your pictures',
    galleries: 'Galleries', into: (title) => `Into ${title}`, newOne: 'New gallery', make: 'Make it',
    name: (title) => `Name of ${title}`, remove: (title) => `Delete ${title}`,
    removeAsk: (title, count, coming) => [`Delete ${title}?`,
      count !== '0' && `${many(count, 'picture goes', 'pictures go')} with it, originals included, except what is in `
        + 'another gallery.',
      coming !== '0' && `${many(coming, 'file is', 'files are')} still on the way there and will not arrive.`,
      count === '0' && coming === '0' && 'It is empty.'].filter(Boolean).join(' '),
    removeYes: 'Delete it', keep: 'Keep it',
    order: (title) => `Order of ${title}`, orderShort: 'Order', toTheEnd: 'To the end',
    orderHint: 'Choose a picture to give it another place, or drag it there.',
    orderWhere: (name) => `${name}: choose the one that it goes before.`,
    moved: (name) => `Moved: ${name}.`,
    choose: 'Choose pictures and videos', drop: (title) => `Or drop them here. They go into ${title}.`,
    first: 'Make a gallery first.',
    leftOut: (names, count) => (count === '1' ? `${names} is neither a picture nor a video, and was left out.`
      : `${count} files are neither pictures nor videos, and were left out: ${names}.`),
    tooMany: (count) => `${many(count, 'file waits', 'files wait')} for a second round: add them again when these `
      + 'are there.',
    sending: (done, all) => `Sending ${done} of ${all}`,
    started: 'Sending files.',
    sent: (count) => `${many(count, 'file is', 'files are')} on the hub.`,
    left: (size) => `${size} to go`,
    keeping: 'Leave this page open: not all of them are stored on this device yet.',
    stay: 'Leave this page open, or come back to it: what is missing is sent then.',
    fleeting: 'This browser keeps nothing here: leave the page open until all is sent.',
    pauses: {
      network: 'No connection: it goes on by itself.', busy: 'The hub is busy: it goes on by itself.',
      full: 'The hub has no room: somebody has to make some.', stopped: 'Sign in again, then it goes on.',
      elsewhere: 'Another tab sends them.',
    },
    again: 'Try again', away: 'Leave it out',
    empty: 'This file is empty: there is nothing in it to send.',
    unkept: 'This device could not read it. Choose it again.',
  },

  de: {
    title: 'Deine Bilder',
    galleries: 'Galerien', into: (title) => `In ${title}`, newOne: 'Neue Galerie', make: 'Anlegen',
    name: (title) => `Name von ${title}`, remove: (title) => `${title} löschen`,
    removeAsk: (title, count, coming) => [`${title} löschen?`,
      count !== '0' && `${many(count, 'Bild geht', 'Bilder gehen')} samt Original mit, außer was auch in einer anderen `
        + 'Galerie ist.',
      coming !== '0' && `${many(coming, 'Datei ist', 'Dateien sind')} noch dorthin unterwegs und ${coming === '1'
        ? 'kommt' : 'kommen'} dann nicht an.`,
      count === '0' && coming === '0' && 'Sie ist leer.'].filter(Boolean).join(' '),
    removeYes: 'Löschen', keep: 'Behalten',
    order: (title) => `Reihenfolge in ${title}`, orderShort: 'Reihenfolge', toTheEnd: 'Ans Ende',
    orderHint: 'Wähl ein Bild, das woandershin soll, oder zieh es dorthin.',
    orderWhere: (name) => `${name}: Wähl das Bild, vor das es kommt.`,
    moved: (name) => `Verschoben: ${name}.`,
    choose: 'Bilder und Videos wählen', drop: (title) => `Oder leg sie hier ab. Sie kommen in ${title}.`,
    first: 'Leg erst eine Galerie an.',
    leftOut: (names, count) => (count === '1' ? `${names} ist weder ein Bild noch ein Video und wurde weggelassen.`
      : `${count} Dateien sind weder Bilder noch Videos und wurden weggelassen: ${names}.`),
    tooMany: (count) => `${many(count, 'Datei kommt', 'Dateien kommen')} in der nächsten Runde dran: Füg sie noch `
      + 'einmal hinzu, wenn diese da sind.',
    sending: (done, all) => `Schickt ${done} von ${all}`,
    started: 'Dateien werden geschickt.',
    sent: (count) => `${many(count, 'Datei ist', 'Dateien sind')} auf dem Server.`,
    left: (size) => `noch ${size}`,
    keeping: 'Lass diese Seite offen: Noch sind nicht alle auf diesem Gerät gespeichert.',
    stay: 'Lass diese Seite offen, oder komm wieder: Was fehlt, wird dann geschickt.',
    fleeting: 'Dieser Browser behält hier nichts: Lass die Seite offen, bis alles geschickt ist.',
    pauses: {
      network: 'Keine Verbindung: Es geht von selbst weiter.',
      busy: 'Der Server hat zu tun: Es geht von selbst weiter.',
      full: 'Der Server hat keinen Platz: Jemand muss welchen schaffen.',
      stopped: 'Melde dich wieder an, dann geht es weiter.', elsewhere: 'Ein anderer Tab schickt sie.',
    },
    again: 'Noch einmal versuchen', away: 'Weglassen',
    empty: 'Diese Datei ist leer: Es gibt nichts zu schicken.',
    unkept: 'Dieses Gerät konnte sie nicht lesen. Wähle sie noch einmal aus.',
  },
};

export const said = dictionary[language];
