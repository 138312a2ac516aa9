// The words of the portfolio's pages in German.

const many = (count, one, more) => (count === '1' ? `1 ${one}` : `${count} ${more}`);

export const de = {
  title: 'Portfolio', portfolios: 'Portfolios', favourites: 'Favoriten',
  strip: (title, count) => `${title}, ${many(count, 'Bild', 'Bilder')}. Die Pfeiltasten führen vom einen zum nächsten, `
    + 'Enter öffnet eins.',
  picture: (title, place, of) => (title ? `${title}, ${place} von ${of}` : `Bild ${place} von ${of}`),
  partKept: (kept, of) => `${kept} von ${of} hier`,
  which: 'Welches Portfolio', all: 'Alle',
  outside: 'Portfolios sind für Mitglieder.', signIn: 'Anmelden',
  lost: 'Der Server ist nicht erreichbar. Was auf diesem Gerät liegt, ist wie immer da.',
  nothingHere: 'Der Server ist nicht erreichbar, und auf diesem Gerät liegt noch nichts.',

  kept: {
    whole: (size) => `Auf diesem Gerät, ${size}`,
    keeping: (kept, of) => `Kommt aufs Gerät, ${kept} von ${of}`,
    short: (kept, of) => `${kept} von ${of} hier`,
    off: 'Nicht auf diesem Gerät',
    mobile: 'Wartet auf WLAN', offline: (kept, of) => `Offline, ${kept} von ${of} hier`,
    waiting: 'Wartet auf den Server', full: 'Dieses Gerät ist voll', insecure: 'Nicht hier: braucht HTTPS',
    outside: 'Melde dich an, dann geht es weiter',
    elsewhere: 'Das macht ein anderer Tab', begins: 'Schaut nach, was hier ist', empty: 'Noch nichts da',
    found: (small, large) => `Es fehlen oder sind beschädigt: ${[small === '0' ? '' : many(small, 'kleines', 'kleine'),
      large === '0' ? '' : many(large, 'großes', 'große')].filter(Boolean).join(', ')}. Sie werden in ihrer Größe neu `
      + 'geholt.',
    updated: 'Nach einer Aktualisierung der Seiten:',
  },

  sync: {
    running: (done, left) => `Holt von der Quelle: ${done} fertig, noch ${left}. Du kannst die Seite verlassen.`,
    waiting: (why) => (why ? `Es geht von selbst weiter: ${why}.` : 'Es geht von selbst weiter.'),
    failed: (why) => (why ? `Der letzte Blick in die Quelle ging schief: ${why}`
      : 'Der letzte Blick in die Quelle ging schief.'),
    some: (count) => many(count, 'Bild kam nicht an', 'Bilder kamen nicht an'),
    cut: (count) => many(count, 'Galerie ist unvollständig', 'Galerien sind unvollständig'),
    rest: 'Alle anderen sind zu sehen.', mayGo: 'Die Bilder dürfen gehen', now: 'Nach neuen Bildern sehen',
    again: 'Noch einmal versuchen',
  },

  view: {
    remove: 'Aus dieser Galerie nehmen', removeYes: 'Herausnehmen', keep: 'Behalten', original: 'Das Original',
    removeAsk: 'Es verlässt diese Galerie; ist es in keiner anderen, wird sein Original gelöscht.',
    name: 'Bild', back: 'Zurück zur Wand', previous: 'Voriges Bild', next: 'Nächstes Bild',
    full: 'Ganzer Bildschirm', play: 'Diaschau', pause: 'Anhalten', screen: 'Zweiter Bildschirm',
    blocked: 'Der Browser hat den zweiten Bildschirm verhindert. Erlaub hier Fenster und Cookies, dann noch einmal.',
    cover: 'Titelbild', like: 'Favorit',
    save: 'Speichern', share: 'Teilen', page: 'Bei der Quelle', thumbs: 'Bilder dieser Galerie',
    count: (place, of) => `${place} von ${of}`,
    close: 'Schließen', zoom: 'Vergrößern', error: 'Dieses Bild ist nicht hier, und der Server ist nicht erreichbar.',
    noSize: 'Dieses ist noch nicht fertig.', private: 'privat',
    waits: 'Hier erscheint das Bild, das du wählst.',
    fills: 'Tippe darauf, dann füllt es den Bildschirm.',
  },

  adding: {
    none: 'Deine Arbeiten, immer dabei.',
    noneText: 'Nenn einen Ort, an dem deine Bilder liegen. Jeder Ordner wird eine Galerie, die auf dieses Gerät kommt.',
    add: 'Portfolio hinzufügen',
  },

  more: {
    send: 'An Kunden schicken',
    upload: 'Bilder hinzufügen', asSource: 'Wie bei der Quelle', anew: 'Bei Flickr neu erlauben',
    up: (title) => `${title} weiter nach oben`, down: (title) => `${title} weiter nach unten`,
    place: (title, place, all) => `${title}, Platz ${place} von ${all}`, saved: 'Gespeichert',
    share: (used, limit) => `Deine Portfolios belegen ${used} von deinen ${limit} auf dem Server.`,
    options: 'Optionen', rename: 'Sein Name', save: 'Speichern', remove: 'Dieses Portfolio löschen',
    removeAsk: 'Seine Galerien verlassen den Server und dieses Gerät. Die Quelle behält alle Bilder.',
    removeOwn: 'Seine Galerien und alle Originale werden vom Server gelöscht. Sie kommen nicht wieder.',
    removeYes: 'Löschen', keep: 'Behalten', hidden: 'Auf der Wand zu sehen',
  },
};
