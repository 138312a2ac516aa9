// The room's data for the shell.

export const room = {
  id: 'albums',
  order: 80,
  settings: '/albums',
  right: 'albums.make',
  icon: 'M4 7h12v12H4zM8 7V4h12v12h-4M7 16l3-4 2 2.5 1.5-1.5L16 16',
  en: {
    name: 'Albums', short: 'Albums', setting: 'who makes albums',
    about: 'Everybody’s pictures of a day, on every device.',
    choice: 'Albums', offer: 'Shared photos without an account: one code on the table, and all see all pictures',
  },
  de: {
    name: 'Alben', short: 'Alben', setting: 'wer Alben anlegt',
    about: 'Die Bilder aller von einem Tag, auf jedem Gerät.',
    choice: 'Alben', offer: 'Gemeinsame Fotos ohne Konto: ein Code auf dem Tisch, und alle sehen alle Bilder',
  },
};

// The audit's actions.
export const audit = {
  en: {
    'albums.made': (who, name) => `${who} made the album ${name}`,
    'albums.changed': (who, name) => `${who} changed the album ${name}`,
    'albums.deleted': (who, name) => `${who} deleted the album ${name}`,
    'albums.host-made': (who, name) => `${who} made a host: ${name}`,
    'albums.host-ended': (who, name) => `${who} ended a host: ${name}`,
  },
  de: {
    'albums.made': (who, name) => `${who} hat das Album ${name} angelegt`,
    'albums.changed': (who, name) => `${who} hat das Album ${name} geändert`,
    'albums.deleted': (who, name) => `${who} hat das Album ${name} gelöscht`,
    'albums.host-made': (who, name) => `${who} hat jemanden zum Gastgeber gemacht: ${name}`,
    'albums.host-ended': (who, name) => `${who} hat einem Gastgeber das Amt genommen: ${name}`,
  },
};

export const duties = {
  en: { member: ['makes albums'] },
  de: { member: ['legt Alben an'] },
};

// Errors by their codes; in English the hub's own sentence is the default.
export const errors = {
  en: {},
  de: {
    40165: ['Dafür brauchst du das Album.', 'Öffne seinen Link, oder scanne den Code noch einmal.'],
    40166: ['Dieses Gerät ist nicht mehr im Album.', 'Öffne den Link noch einmal.'],
    40365: ['Das Album fragt nach einem Kennwort.', 'Die Gastgeber kennen es.'],
    40366: ['Das ist nicht das Kennwort.', 'Frag die Gastgeber, wie man es schreibt.'],
    40367: ['Noch hat dich niemand hereingelassen.', 'Warte kurz, oder sag den Gastgebern, dass du da bist.'],
    40368: ['Das dürfen nur Gastgeber.', 'Frag einen; sie können auch dich dazu machen.'],
    40369: ['Das ist das Bild von jemand anderem.', 'Nur wer es geschickt hat oder ein Gastgeber darf das.'],
    40370: ['Auf diesem Hub legen nur Eigentümer Alben an.', 'Bitte einen darum; er kann dich zum Gastgeber machen.'],
    40465: ['Dieses Album gibt es nicht, oder du bist nicht darin.', 'Öffne den Link, oder scanne den Code noch einmal.'],
    40466: ['Dieses Bild gibt es nicht.', 'Vielleicht wurde es entfernt.'],
    40467: ['Diesen Gast gibt es hier nicht.', ''],
    40468: ['Zu diesem Link gehört kein Album.', 'Vielleicht wurde er geändert. Frag einen Gastgeber nach dem neuen.'],
    40965: ['Es gibt zu viele Alben.', 'Lösche erst eines.'],
    40966: ['Das Album ist voll mit Gästen.', 'Sag es einem der Gastgeber.'],
    40967: ['Für mehr Bilder ist kein Platz.', 'Entferne erst welche.'],
    40968: ['Das Album hätte keinen Gastgeber mehr.', 'Mach erst jemand anderen dazu.'],
    40969: ['Das Bild ist nicht entfernt.', 'Es ist im Album.'],
    41065: ['Das Album ist geschlossen.', 'Ansehen kannst du es weiter. Ein Gastgeber kann es wieder öffnen.'],
    41066: ['Du bist nicht mehr im Album.', 'War das ein Versehen, frag die Gastgeber, und öffne den Link noch einmal.'],
    41365: ['Das Album ist voll.', 'Ein Gastgeber kann Bilder entfernen, oder der Eigentümer gibt ihm mehr Platz.'],
    41366: ['Dein Platz in diesem Album ist voll.', 'Nimm Bilder zurück, oder bitte um mehr Platz.'],
    42965: ['Das waren zu viele falsche Versuche.', 'Warte kurz, und versuch es dann wieder.'],
    50365: ['Gerade werden viele Kennwörter geprüft.', 'Versuch es in ein paar Sekunden noch einmal.'],
    50765: [
      'Die Platte des Hubs ist fast voll.',
      'Deine Bilder bleiben auf deinem Gerät. Der Eigentümer muss Platz schaffen.',
    ],
  },
};
