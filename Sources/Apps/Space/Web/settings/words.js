// The words of the space's settings, in German and English. A test compares the two.

import { words as ofForm } from '/settings/place/words.js';
import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    lead: 'How the sign looks, and how people reach you.',
    sections: { look: 'Looks', contact: 'How to reach you', hours: 'Opening hours' },
    fields: { url: 'Web address', color: 'Colour', contact: 'Contact', opening_hours: 'Opening hours' },
    url: 'Web address',
    urlHint: 'Your own site. Without one, directories are sent to this hub.',
    color: 'Colour',
    colorHint: 'For links and buttons. It is made as dark or light as letters have to be.',
    colorNone: 'Eightbells’ own colour',
    pictures: {
      logo: 'Logo', open: 'Picture when open', closed: 'Picture when closed',
      hint: {
        logo: 'PNG, SVG, JPEG, GIF or WebP. A square PNG also becomes the icon on home screens.',
        open: 'Shown on the sign, and in directories.',
        closed: 'Shown on the sign, and in directories.',
      },
      choose: 'Choose a picture', change: 'Another one', remove: 'Remove', none: 'none yet',
      sending: (share) => `${Math.round(share * 100)}% sent`,
      failed: 'The picture was not taken:',
      now: 'Pictures are kept at once, without “Save”.',
    },
    contact: {
      hint: 'Everyone can read this, directories too.',
      more: 'More ways',
      email: 'E-mail', phone: 'Phone', matrix: 'Matrix', mastodon: 'Mastodon', irc: 'IRC', ml: 'Mailing list',
      issue_mail: 'E-mail for problems', xmpp: 'XMPP', sip: 'SIP', mumble: 'Mumble', twitter: 'Twitter',
      facebook: 'Facebook', identica: 'Identica', foursquare: 'Foursquare', gopher: 'Gopher',
    },
    keymasters: {
      title: 'People with a key, for directories',
      hint: 'SpaceAPI tells them to everyone.',
      ways: 'Directories need one of these for each: e-mail, phone, IRC, Twitter.',
      add: 'Add a person', remove: 'Remove', name: 'Name',
    },
    hours: {
      label: 'When you are usually open',
      hint: 'Such as “Tu,Th 18:00-23:00; Sa 14:00-20:00”, or in your own words.',
      days: 'Put it together', from: 'from', to: 'to', add: 'Add', shown: 'Shown as:',
    },
    followed: {
      title: 'Other spaces',
      hint: 'Their signs stand beside yours, for everybody. This counts at once, without “Save”.',
      address: 'Address of its spaceapi.json', add: 'Follow', remove: (name) => `Do not follow ${name} any more`,
    },
  },

  de: {
    lead: 'Wie das Schild aussieht und wie man euch erreicht.',
    sections: { look: 'Aussehen', contact: 'So seid ihr zu erreichen', hours: 'Öffnungszeiten' },
    fields: { url: 'Webseite', color: 'Farbe', contact: 'Kontakt', opening_hours: 'Öffnungszeiten' },
    url: 'Webseite',
    urlHint: 'Eure eigene. Ohne sie führen Verzeichnisse zu diesem Server.',
    color: 'Farbe',
    colorHint: 'Für Links und Knöpfe. Sie wird so dunkel oder hell, wie Buchstaben es brauchen.',
    colorNone: 'Farbe von Eightbells',
    pictures: {
      logo: 'Logo', open: 'Bild, wenn offen ist', closed: 'Bild, wenn geschlossen ist',
      hint: {
        logo: 'PNG, SVG, JPEG, GIF oder WebP. Ein quadratisches PNG wird auch zum Symbol auf Startbildschirmen.',
        open: 'Auf dem Schild und in Verzeichnissen.',
        closed: 'Auf dem Schild und in Verzeichnissen.',
      },
      choose: 'Bild auswählen', change: 'Ein anderes', remove: 'Entfernen', none: 'noch keines',
      sending: (share) => `${Math.round(share * 100)} % gesendet`,
      failed: 'Das Bild wurde nicht angenommen:',
      now: 'Bilder gelten sofort, ohne „Speichern“.',
    },
    contact: {
      hint: 'Das können alle lesen, auch Verzeichnisse.',
      more: 'Weitere Wege',
      email: 'E-Mail', phone: 'Telefon', matrix: 'Matrix', mastodon: 'Mastodon', irc: 'IRC', ml: 'Mailingliste',
      issue_mail: 'E-Mail für Probleme', xmpp: 'XMPP', sip: 'SIP', mumble: 'Mumble', twitter: 'Twitter',
      facebook: 'Facebook', identica: 'Identica', foursquare: 'Foursquare', gopher: 'Gopher',
    },
    keymasters: {
      title: 'Leute mit Schlüssel, für Verzeichnisse',
      hint: 'SpaceAPI sagt sie allen weiter.',
      ways: 'Verzeichnisse brauchen zu jedem eines davon: E-Mail, Telefon, IRC, Twitter.',
      add: 'Jemanden hinzufügen', remove: 'Entfernen', name: 'Name',
    },
    hours: {
      label: 'Wann ihr meistens offen habt',
      hint: 'Etwa „Tu,Th 18:00-23:00; Sa 14:00-20:00“ (Tage auf Englisch: Mo Tu We Th Fr Sa Su), oder in euren '
        + 'eigenen Worten.',
      days: 'Zusammenstellen', from: 'von', to: 'bis', add: 'Hinzufügen', shown: 'So steht es da:',
    },
    followed: {
      title: 'Andere Spaces',
      hint: 'Ihre Schilder stehen neben eurem, für alle. Das gilt sofort, ohne „Speichern“.',
      address: 'Adresse der spaceapi.json', add: 'Folgen', remove: (name) => `${name} nicht mehr folgen`,
    },
  },
};

/** With those that all of the form's sections have. */
export const words = { ...ofForm, ...dictionary[language] };
