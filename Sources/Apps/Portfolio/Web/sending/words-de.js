// The words of sending to clients in German.

const many = (count, one, more) => (count === '1' ? `1 ${one}` : `${count} ${more}`);

export const de = {
  title: 'An Kunden geschickt', close: 'Schließen', send: 'Bilder schicken',
  none: 'Aus diesem Portfolio ging noch nichts an Kunden.',
  noneText: 'Kunden öffnen einen Link, ohne Konto, und merken an, was ihnen gefällt. Das kommt direkt zu dir zurück.',
  heading: 'An Kunden schicken', changing: (title) => `${title} ändern`, galleries: 'Galerien',
  pictures: (count) => many(count, 'Bild', 'Bilder'), name: 'Titel', text: 'Begleittext',
  optional: '(kann frei bleiben)',
  pin: 'PIN', pinHint: '4 bis 12 Ziffern. Sag sie am Telefon, nicht in der Mail.',
  until: 'Offen bis', untilHint: 'Nach diesem Tag zeigt der Link nichts mehr.',
  downloads: 'Herunterladen', download: { none: 'Nichts', 2048: '2048 px', original: 'Originale' },
  details: 'Ort und Datum jedes Bildes', detailsHint: 'Kameradaten und Koordinaten gehen nie mit.',
  private: 'Auch private Bilder', privateHint: 'Sonst bleiben Bilder hier, die an ihrer Quelle privat sind.',
  make: 'Link anlegen', save: 'Speichern', cancel: 'Zurück', choose: 'Wähl eine Galerie oder ein Bild.',
  some: (chosen, all) => `${chosen} von ${all}`,
  updating: 'Kunden sehen dann, was hier gewählt ist.',
  link: 'Link', copy: 'Link kopieren', copied: 'Kopiert.', share: 'Teilen', look: 'Ansehen', change: 'Ändern',
  to: 'Mail an', toHint: 'Eine Adresse oder mehrere mit Komma. Die PIN steht nicht darin.',
  sendMail: 'Mail schicken', mailed: 'Die Mail ist unterwegs.',
  withdraw: 'Zurückziehen',
  withdrawAsk: (title) => `${title} zurückziehen? Der Link zeigt dann nichts mehr. Ein Gerät, `
    + 'das die Bilder behalten hat, gibt sie beim nächsten Öffnen mit Netz her; Gespeichertes kommt nicht zurück.',
  withdrawYes: 'Zurückziehen', keep: 'Behalten',
  states: { open: '', ended: 'Abgelaufen', withdrawn: 'Zurückgezogen' },
  locked: 'Gesperrt nach zu vielen falschen PINs: Gib eine neue.',
  opened: (count) => (count === '0' ? 'Noch nicht geöffnet'
    : `Von ${count === '1' ? 'einem' : count} Kunden geöffnet`),
  favourites: (count) => many(count, 'Favorit', 'Favoriten'),
  remarks: (count) => many(count, 'Anmerkung', 'Anmerkungen'),
  wishes: (count) => many(count, 'Wunsch nach einem großen Bild', 'Wünsche nach großen Bildern'),
  back: 'Rückmeldungen', nothingBack: 'Noch nichts. Sobald etwas kommt, läutet es bei dir.',
  client: (number) => `Kunde ${number}`, kinds: { favourite: 'Favorit', remark: 'Anmerkung', large: 'Bitte groß' },
  shared: 'Offen für alle, die die Adresse haben', sharedText: 'Einzeln geteilt oder im Rahmen auf einer Webseite.',
  sharedPicture: 'Bild', sharedGallery: 'Galerie auf einer Webseite', takeBack: 'Zurücknehmen',
  oneFile: {
    title: 'Als eine Datei', text: 'Eine Datei mit allen Bildern, für einen Stick oder zum Herunterladen: Sie öffnet '
      + 'sich ohne Netz. Auf iPhone und iPad geht das nicht, dort ist der Link der Weg. Herzen und Anmerkungen bleiben '
      + 'in ihr.',
    large: 'Sie wird groß: Telefone öffnen sie langsam, und keine Mail nimmt sie. Kleinere Bilder helfen.',
    sizes: 'Bilder', size: (edge, bytes) => `${edge} px, etwa ${bytes}`, passphrase: 'Kennwort',
    why: 'Mindestens 12 Zeichen, am besten vier Wörter: Das Kennwort einer Datei lässt sich zu Hause erraten, wo '
      + 'niemand die Versuche zählt. Vier Ziffern sind nach einer Viertelstunde gefunden.', make: 'Datei machen',
  },
  names: 'Dateinamen kopieren', namesCopied: 'Die Dateinamen sind kopiert, einer je Zeile.',
};
