// The words of one's own uploads in German.

const many = (count, one, more) => (count === '1' ? `1 ${one}` : `${count} ${more}`);

export const de = {
  title: 'Deine Bilder', close: 'Schließen',
  galleries: 'Galerien', into: (title) => `In ${title}`, newOne: 'Neue Galerie', make: 'Anlegen',
  name: (title) => `Name von ${title}`, remove: (title) => `${title} löschen`,
  removeAsk: (title, count) => `${title} löschen? ${count === '0' ? 'Sie ist leer.'
    : `${many(count, 'Bild geht', 'Bilder gehen')} samt Original mit, außer was auch in einer anderen Galerie ist.`}`,
  removeYes: 'Löschen', keep: 'Behalten',
  choose: 'Bilder und Videos wählen', drop: (title) => `Oder leg sie hier ab. Sie kommen in ${title}.`,
  first: 'Leg erst eine Galerie an.',
  none: 'Das sind keine Bilder oder Videos.',
  tooMany: (count) => `${many(count, 'Datei kommt', 'Dateien kommen')} in der nächsten Runde dran: Füg sie noch einmal `
    + 'hinzu, wenn diese da sind.',
  sending: (done, all) => `Schickt ${done} von ${all}`,
  sent: (count) => `${many(count, 'Datei ist', 'Dateien sind')} auf dem Server.`,
  left: (size) => `noch ${size}`,
  stay: 'Lass diese Seite offen, oder komm wieder: Was fehlt, wird dann geschickt.',
  fleeting: 'Dieser Browser behält hier nichts: Lass die Seite offen, bis alles geschickt ist.',
  pauses: {
    network: 'Keine Verbindung: Es geht von selbst weiter.', busy: 'Der Server hat zu tun: Es geht von selbst weiter.',
    full: 'Der Server hat keinen Platz: Jemand muss welchen schaffen.',
    stopped: 'Melde dich wieder an, dann geht es weiter.', elsewhere: 'Ein anderer Tab schickt sie.',
  },
  again: 'Noch einmal', away: 'Weglassen',
  unkept: 'Auf diesem Gerät war kein Platz, sie vorzubereiten.',
};
