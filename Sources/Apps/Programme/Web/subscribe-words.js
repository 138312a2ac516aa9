// The words about subscribing to the programme, in German and English.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    title: 'Subscribe',
    what: 'What to subscribe to',
    all: 'Whole programme',
    favourites: 'My favourites',
    open: 'Open in the calendar app',
    address: 'Address of the subscription',
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'This browser does not let the page copy. The address is selected: copy it yourself.',
    google: 'Google Calendar: on a computer, “Other calendars”, “From URL”, and paste the address there. '
      + 'It looks for news once or twice a day only; if an event is soon, add it from its own page.',
    needsPerson: 'An address of your own needs to know who you are.',
    signIn: 'Sign in',
    secretFirst: 'Your favourites get a secret address. Whoever has it can read them.',
    secret: 'This address is secret: whoever has it can read your favourites.',
    make: 'Make an address',
    end: 'End this address',
  },

  de: {
    title: 'Abonnieren',
    what: 'Was abonniert wird',
    all: 'Ganzes Programm',
    favourites: 'Was ich mir gemerkt habe',
    open: 'In der Kalender-App öffnen',
    address: 'Adresse des Abonnements',
    copy: 'Kopieren',
    copied: 'Kopiert',
    notCopied: 'Dieser Browser lässt die Seite nicht kopieren. Die Adresse ist markiert: Kopiere sie selbst.',
    google: 'Google Kalender: am Computer „Weitere Kalender“, „Per URL“, und dort die Adresse einfügen. '
      + 'Er sieht nur ein- bis zweimal am Tag nach; was bald ist, trag auf der Seite des Termins einzeln ein.',
    needsPerson: 'Für eine eigene Adresse muss der Server wissen, wer du bist.',
    signIn: 'Anmelden',
    secretFirst: 'Was du dir gemerkt hast, bekommt eine geheime Adresse. Wer sie hat, kann es lesen.',
    secret: 'Diese Adresse ist geheim: Wer sie hat, kann lesen, was du dir gemerkt hast.',
    make: 'Adresse anlegen',
    end: 'Adresse beenden',
  },
};

export const subscribeWords = dictionary[language];
