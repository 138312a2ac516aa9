// The words of the form that names a place with pictures, and about a permission at Flickr, in English and German. A
// test compares the two.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    title: 'Flickr', waits: 'Flickr has said yes. The hub takes the permission.',
    added: (name) => `${name} is added. Its sets become galleries.`,
    renewed: (name) => `${name} may be read again.`,
    contacts: 'Your contacts at Flickr', contactsText: 'Each one becomes a portfolio of its own.',
    none: 'You follow nobody at Flickr.', find: 'Find a name', add: (name) => `Add ${name}`, isAdded: 'added',
    loads: 'Asking Flickr',
    form: {
      from: 'Where the pictures are',
      kinds: {
        webdav: 'WebDAV, such as Nextcloud', flickr: 'Flickr', albums: 'Your albums here',
        folder: 'A folder on the hub', uploads: 'This device: I upload them',
      },
      of: { webdav: 'Address', flickr: 'Flickr name, id, or address of a page', folder: 'Path on the hub' },
      hint: {
        webdav: 'Each folder there becomes a gallery.', flickr: 'Each photoset becomes a gallery.',
        albums: 'Each album that you are in becomes a gallery.', folder: 'Each folder in it becomes a gallery.',
        uploads: 'You make galleries, and add pictures and videos to them. Originals are kept.',
      },
      allow: 'Allow it at Flickr', allowText: 'Your own account, with private pictures and those of your contacts:',
      contacts: 'Choose among your contacts',
      user: 'User name there', password: 'Password there',
      name: 'Its name', optional: '(optional)', make: 'Add',
      names: { albums: 'Albums', uploads: 'My pictures' },
    },
  },

  de: {
    title: 'Flickr', waits: 'Flickr hat Ja gesagt. Der Server holt die Erlaubnis.',
    added: (name) => `${name} ist dabei. Aus jedem Set wird eine Galerie.`,
    renewed: (name) => `${name} lässt sich wieder lesen.`,
    contacts: 'Deine Kontakte bei Flickr', contactsText: 'Aus jedem wird ein eigenes Portfolio.',
    none: 'Du folgst bei Flickr niemandem.', find: 'Einen Namen suchen', add: (name) => `${name} hinzufügen`,
    isAdded: 'dabei', loads: 'Fragt Flickr',
    form: {
      from: 'Wo die Bilder liegen',
      kinds: {
        webdav: 'WebDAV, etwa Nextcloud', flickr: 'Flickr', albums: 'Deine Alben hier',
        folder: 'Ein Ordner auf dem Server', uploads: 'Dieses Gerät: ich lade sie hoch',
      },
      of: { webdav: 'Adresse', flickr: 'Name, Kennung oder Adresse bei Flickr', folder: 'Pfad auf dem Server' },
      hint: {
        webdav: 'Jeder Ordner dort wird eine Galerie.', flickr: 'Jedes Fotoset wird eine Galerie.',
        albums: 'Jedes Album, in dem du bist, wird eine Galerie.',
        folder: 'Jeder Ordner darin wird eine Galerie.',
        uploads: 'Du legst Galerien an und fügst Bilder und Videos hinzu. Die Originale bleiben erhalten.',
      },
      allow: 'Bei Flickr erlauben',
      allowText: 'Dein eigenes Konto, mit privaten Bildern und denen deiner Kontakte:',
      contacts: 'Unter deinen Kontakten wählen',
      user: 'Benutzername dort', password: 'Passwort dort',
      name: 'Sein Name', optional: '(kann frei bleiben)', make: 'Hinzufügen',
      names: { albums: 'Alben', uploads: 'Meine Bilder' },
    },
  },
};

export const said = dictionary[language];
