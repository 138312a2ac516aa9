// The words for those who have not signed in, in German and English.

import { choose } from '/words.js';

export const dictionary = {
  en: {
    title: 'Have it ring here',
    text: 'This browser can ring, also while the page is closed. No account, no name, no e-mail.',
    start: 'Ring me here',
    how: 'The browser asks once whether it may. We then keep its address and what you chose; “Not any more” deletes '
      + 'both.',
    on: 'It rings here, also while this page is closed.',
    stop: 'Not any more',
    denied: 'The browser has not allowed it.',
    refused: 'The browser has not allowed it. You can press again whenever you like.',
    choose: 'Choose at least one.',
  },
  de: {
    title: 'Lass es hier läuten',
    text: 'Dieser Browser kann läuten, auch wenn die Seite zu ist. Ohne Konto, ohne Namen, ohne E-Mail.',
    start: 'Hier läuten lassen',
    how: 'Der Browser fragt dich einmal um Erlaubnis. Wir speichern dann die Adresse, unter der wir ihn erreichen, und '
      + 'deine Auswahl; „Nicht mehr läuten“ löscht beides.',
    on: 'Hier läutet es, auch wenn diese Seite zu ist.',
    stop: 'Nicht mehr läuten',
    denied: 'Der Browser hat es nicht erlaubt.',
    refused: 'Der Browser hat es nicht erlaubt. Du kannst jederzeit noch einmal drücken.',
    choose: 'Wähle mindestens ein Thema.',
  },
};

export const { language } = choose(['en', 'de']);

export const strangerWords = dictionary[language];
