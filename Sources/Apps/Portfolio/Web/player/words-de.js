// The player's words in German.

const some = ({ favourite, remark, large }) => new Intl.ListFormat('de').format([
  favourite && `${favourite} ${favourite === 1 ? 'Favorit' : 'Favoriten'}`,
  remark && `${remark} ${remark === 1 ? 'Anmerkung' : 'Anmerkungen'}`,
  large && `${large} ${large === 1 ? 'Wunsch nach einem großen Bild' : 'Wünsche nach großen Bildern'}`,
].filter(Boolean));
const pictures = (count) => `${count} ${String(count) === '1' ? 'Bild' : 'Bilder'}`;

export const de = {
  see: 'Bilder ansehen',
  pictures,
  picture: (number) => `Bild ${number}`,
  kept: (count) => `${pictures(count)}, auf diesem Gerät`,
  keeping: (done, all) => `${done} von ${all} Bildern auf diesem Gerät`,
  mobile: (megabytes) => `Mobile Daten: Alle trotzdem auf dieses Gerät laden, etwa ${megabytes} MB`,
  inFile: (count) => `${pictures(count)} in dieser Datei`,
  full: (done, all) => `${done} von ${all} Bildern hier: Das Gerät ist voll`,
  until: (day) => `Bis ${day}`,
  cover: 'Zurück zum Titel',
  back: 'Zurück zu allen Bildern',
  of: (place, all) => `${place} von ${all}`,
  previous: 'Voriges Bild',
  next: 'Nächstes Bild',
  favourite: 'Favorit',
  remark: 'Anmerkung',
  remarkOn: 'Anmerkung zu diesem Bild',
  large: 'Dieses bitte groß',
  save: 'Speichern',
  download: 'Dieses Bild speichern',
  original: 'Das Original speichern',
  unsaved: 'Das Bild war nicht zu bekommen. Bitte noch einmal versuchen.',
  page: 'Seine Seite bei Flickr',
  strip: 'Alle Bilder',
  turn: (first, last, all) => `${first} bis ${last} von ${all}`,
  turnBack: 'Bilder davor',
  turnOn: 'Weitere Bilder',
  viewer: 'Bild',
  close: 'Schließen',
  zoom: 'Vergrößern',
  error: 'Dieses Bild lässt sich nicht zeigen.',
  noSize: 'Dieses Bild lässt sich nicht zeigen.',
  film: 'Video', play: 'Video abspielen',
  marks: 'Deine Auswahl',
  sent: (counts, who) => `${some(counts)}: angekommen bei ${who || 'der Fotografin oder dem Fotografen'}.`,
  waiting: (counts, who, isOnline) => `${isOnline ? '' : 'Kein Netz. '}${some(counts)} ${
    counts.favourite + counts.remark + counts.large === 1 ? 'wartet hier und geht' : 'warten hier und gehen'
  } von selbst an ${who || 'die Fotografin oder den Fotografen'}.`,
  refused: 'Die Auswahl ließ sich nicht übergeben. Als Liste speichern und selbst schicken.',
  here: (counts, who) => `${some(counts)} auf diesem Gerät. Als Liste speichern und an ${
    who || 'die Fotografin oder den Fotografen'} schicken.`,
  only: (number) => `Nur die Auswahl (${number})`,
  list: 'Auswahl als Liste speichern',
  listName: 'Auswahl.txt',
  none: 'Ein Herz, eine Anmerkung, ein Wunsch nach einem großen: Unter jedem Bild lässt sich sagen, was gefällt.',
  withdrawn: (count, who) => (count === 1 ? `Ein Bild wurde von ${who} zurückgenommen und von diesem Gerät entfernt.`
    : `${count} Bilder wurden von ${who} zurückgenommen und von diesem Gerät entfernt.`),
  photographer: 'der Fotografin oder dem Fotografen',
  lock: {
    pin: 'Dieser Link fragt nach einer PIN', pinHelp: 'Sie kam auf einem anderen Weg als der Link.', pinLabel: 'PIN',
    passphrase: 'Diese Datei ist verschlossen',
    passphraseHelp: 'Das Kennwort kam auf einem anderen Weg als die Datei.',
    passphraseLabel: 'Kennwort',
    open: 'Öffnen', opening: 'Wird geöffnet …', wrong: 'Das stimmt nicht.',
    wait: (seconds) => `Zu viele Versuche. Wieder in ${seconds < 90
      ? `${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'}` : `${Math.ceil(seconds / 60)} Minuten`}.`,
    locked: 'Zu viele Versuche: Der Link ist gesperrt, bis es eine neue PIN gibt.',
    away: 'Kein Netz. Nur mit Netz lässt sich die PIN prüfen.',
  },
  ended: {
    title: 'Diese Bilder sind nicht mehr hier', text: (who) => `${who ? `${who} hat diesen Link` : 'Dieser Link wurde'
    } beendet. Was auf diesem Gerät lag, ist entfernt.`,
    marks: 'Deine Auswahl ist noch hier.',
  },
  away: { title: 'Die Bilder sind nicht zu erreichen',
    text: 'Noch liegt nichts auf diesem Gerät, und es gibt kein Netz.', again: 'Noch einmal versuchen' },
  broken: { title: 'Diese Datei ist beschädigt', text: 'Sie wurde unterwegs abgeschnitten oder geändert. Bitte noch '
    + 'einmal schicken lassen.' },
  noCrypto: 'Dieser Browser kann verschlossene Dateien von hier nicht öffnen.',
  opening: 'Einen Moment …',
  notice: 'Dieses Produkt verwendet die Flickr-API, ist aber nicht von SmugMug, Inc. unterstützt oder zertifiziert.',
};
