// The words of what stands below the sign: the space itself and the way there, in German and English. A test compares
// the two.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    firstSteps: {
      title: 'Ahoy! The hub is running.',
      text: 'It does not know yet whose it is: the name, the address, the calendars. '
        + 'An owner can tell it now; this page fills in by itself.',
      help: 'Is it yours? Open the link that it showed on its terminal as “Set it up”. It is good for 10 minutes; '
        + '“eightbells link --role owner --data”, with the hub’s data folder behind it, prints another. After the '
        + 'package, that is /var/lib/eightbells, and “sudo -u eightbells” goes before the command.',
      begin: 'Give it a name',
    },
    way: 'How to get there',
    opensNewTab: '(opens in a new tab)',
    about: {
      title: 'About',
      address: 'Address',
      map: 'Show on a map',
      hours: 'Opening hours',
      web: 'Web site',
      zone: (name) => `All times are those of the space (${name}).`,
      made: 'Kept by Eightbells',
    },
    contact: {
      email: 'E-mail', ml: 'Mailing list', issue_mail: 'Problems to', phone: 'Phone', sip: 'SIP', irc: 'IRC',
      matrix: 'Matrix', mastodon: 'Mastodon', xmpp: 'XMPP', twitter: 'Twitter', facebook: 'Facebook',
      mumble: 'Mumble', gopher: 'Gopher', foursquare: 'Foursquare', identica: 'Identica', google: 'Google',
    },
  },

  de: {
    firstSteps: {
      title: 'Moin! Der Server läuft.',
      text: 'Er weiß nur noch nicht, wem er gehört: Name, Adresse, Kalender. '
        + 'Die Leitung kann es ihm jetzt sagen; diese Seite füllt sich dann von selbst.',
      help: 'Ist es deiner? Öffne den Link, den er im Terminal hinter „Set it up“ gezeigt hat. Er gilt 10 Minuten; '
        + 'einen neuen gibt „eightbells link --role owner --data“ aus, mit dem Datenordner des Servers dahinter. Nach '
        + 'dem Paket ist das /var/lib/eightbells, und vor den Befehl gehört „sudo -u eightbells“.',
      begin: 'Einen Namen geben',
    },
    way: 'So kommst du hin',
    opensNewTab: '(öffnet einen neuen Tab)',
    about: {
      title: 'Über uns',
      address: 'Adresse',
      map: 'Auf der Karte zeigen',
      hours: 'Öffnungszeiten',
      web: 'Webseite',
      zone: (name) => `Alle Zeiten sind die des Space (${name}).`,
      made: 'Gehütet von Eightbells',
    },
    contact: {
      email: 'E-Mail', ml: 'Mailingliste', issue_mail: 'Probleme an', phone: 'Telefon', sip: 'SIP', irc: 'IRC',
      matrix: 'Matrix', mastodon: 'Mastodon', xmpp: 'XMPP', twitter: 'Twitter', facebook: 'Facebook',
      mumble: 'Mumble', gopher: 'Gopher', foursquare: 'Foursquare', identica: 'Identica', google: 'Google',
    },
  },
};

export const words = dictionary[language];
