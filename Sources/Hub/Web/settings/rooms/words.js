// The words of the pages about the choice of rooms, in German and English.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    title: 'Rooms',
    text: 'Choose what the navigation shows, and what people see first. A hidden room goes on working, and nothing in '
      + 'it is lost; it is shown again as soon as something is made in it.',
    loading: 'One moment …',
    failed: 'The hub cannot be reached. The choice is kept there alone.',
    again: 'Try again',
    shown: (room) => `Show ${room}`,
    front: 'Seen first',
    frontOf: (room) => `${room} is seen first`,
    locked: 'The front room is always shown. Let another be seen first to hide it.',
    up: (room) => `Move ${room} up`,
    down: (room) => `Move ${room} down`,
    saved: 'Saved',
    savedAt: (place, all) => `Saved, place ${place} of ${all}`,
    conflict: 'Somebody else has chosen meanwhile. This is how it is now; yours was not saved.',
    first: 'What shall I watch over?',
    firstText: 'Each is a room of this hub. Choose what you begin with; others can be shown later, and nothing in them '
      + 'is lost.',
    what: 'Rooms',
    whichFront: 'What do people see first?',
    open: (count) => (count === 1 ? 'Open this room' : `Open these ${count} rooms`),
    none: 'Choose at least one.',
  },
  de: {
    title: 'Räume',
    text: 'Wähle, was die Navigation zeigt und was man zuerst sieht. Ein verborgener Raum arbeitet weiter, und nichts '
      + 'darin geht verloren; er ist wieder zu sehen, sobald darin etwas entsteht.',
    loading: 'Einen Moment …',
    failed: 'Der Server ist nicht erreichbar. Nur dort steht, was gewählt ist.',
    again: 'Noch einmal versuchen',
    shown: (room) => `${room} zeigen`,
    front: 'Sieht man zuerst',
    frontOf: (room) => `${room} sieht man zuerst`,
    locked: 'Was man zuerst sieht, ist immer da. Wähle dafür erst einen anderen Raum.',
    up: (room) => `${room} nach oben`,
    down: (room) => `${room} nach unten`,
    saved: 'Gespeichert',
    savedAt: (place, all) => `Gespeichert, Platz ${place} von ${all}`,
    conflict: 'Inzwischen hat jemand anders gewählt. So ist es jetzt; deine Wahl wurde nicht gespeichert.',
    first: 'Worüber soll ich wachen?',
    firstText: 'Jedes davon ist ein Raum. Wähle, womit du anfängst; andere lassen sich später zeigen, nichts geht '
      + 'verloren.',
    what: 'Räume',
    whichFront: 'Was sieht man zuerst?',
    open: (count) => (count === 1 ? 'Diesen Raum öffnen' : `Diese ${count} Räume öffnen`),
    none: 'Wähle wenigstens einen.',
  },
};

export const words = dictionary[language];
