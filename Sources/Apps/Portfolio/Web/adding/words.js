// The words about a permission at Flickr, in English and German. A test compares the two.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    title: 'Flickr', waits: 'Flickr has said yes. The hub takes the permission.',
    added: (name) => `${name} is added. Its sets become galleries.`,
    renewed: (name) => `${name} may be read again.`,
    contacts: 'Your contacts at Flickr', contactsText: 'Each one becomes a portfolio of its own.',
    none: 'You follow nobody at Flickr.', find: 'Find a name', add: (name) => `Add ${name}`, isAdded: 'added',
    loads: 'Asking Flickr',
  },

  de: {
    title: 'Flickr', waits: 'Flickr hat Ja gesagt. Der Server holt die Erlaubnis.',
    added: (name) => `${name} ist dabei. Aus jedem Set wird eine Galerie.`,
    renewed: (name) => `${name} lässt sich wieder lesen.`,
    contacts: 'Deine Kontakte bei Flickr', contactsText: 'Aus jedem wird ein eigenes Portfolio.',
    none: 'Du folgst bei Flickr niemandem.', find: 'Einen Namen suchen', add: (name) => `${name} hinzufügen`,
    isAdded: 'dabei', loads: 'Fragt Flickr',
  },
};

export const said = dictionary[language];
