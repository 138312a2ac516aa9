// The words about a permission at Flickr in German.

export const de = {
  title: 'Flickr', close: 'Schließen', waits: 'Flickr hat Ja gesagt. Der Server holt die Erlaubnis.',
  added: (name) => `${name} ist dabei. Aus jedem Set wird eine Galerie.`,
  renewed: (name) => `${name} lässt sich wieder lesen.`,
  contacts: 'Deine Kontakte bei Flickr', contactsText: 'Aus jedem wird ein eigenes Portfolio.',
  none: 'Du folgst bei Flickr niemandem.', find: 'Einen Namen suchen', add: (name) => `${name} hinzufügen`,
  isAdded: 'dabei', loads: 'Fragt Flickr',
};
