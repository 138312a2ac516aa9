// The room's data for the shell.

export const room = {
  id: 'albums',
  order: 80,
  icon: 'M7 7h12a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V9a2 2 0 0 1 2-2zM5.5 18.5l4.2-4.2 3.3 3.2 3-2.7 4.7 4'
    + 'M15.5 10.5h.01M6 3.5h12',
  en: {
    name: 'Albums', short: 'Albums', setting: 'shared pictures',
    about: 'Everybody’s pictures of a day, without an account.',
    choice: 'Shared albums', offer: 'Guests add pictures without an account, and everybody sees them at once',
  },
  de: {
    name: 'Alben', short: 'Alben', setting: 'gemeinsame Bilder',
    about: 'Die Bilder eines Tages von allen, ganz ohne Konto.',
    choice: 'Gemeinsame Alben', offer: 'Gäste geben Bilder dazu, ohne Konto, und alle sehen sie sofort',
  },
};

// The audit's actions.
export const audit = {
  en: {
    'albums.made': (who, name) => `${who} made the album ${name}`,
    'albums.changed': (who, name) => `${who} changed the album ${name}`,
    'albums.deleted': (who, name) => `${who} deleted the album ${name}`,
  },
  de: {
    'albums.made': (who, name) => `${who} hat das Album ${name} angelegt`,
    'albums.changed': (who, name) => `${who} hat das Album ${name} geändert`,
    'albums.deleted': (who, name) => `${who} hat das Album ${name} gelöscht`,
  },
};

// Errors by their codes; in English the hub's own sentence is the default.
export const errors = {
  en: {},
  de: {
    40165: ['Dafür musst du im Album sein.', 'Öffne seinen Link, oder scanne den Code noch einmal.'],
    40166: ['Dieses Gerät ist nicht mehr im Album.', 'Öffne den Link, oder scanne den Code noch einmal.'],
    40365: ['Dieses Album fragt nach einem Kennwort.', 'Die Gastgeber sagen es dir.'],
    40366: ['Das Kennwort stimmt nicht.', 'Schau, ob es richtig getippt ist.'],
    40367: ['Noch hat dich niemand hereingelassen.', 'Warte kurz, oder sag einem Gastgeber, dass du da bist.'],
    40368: ['Das dürfen nur die Gastgeber des Albums.', 'Einer von ihnen kann auch dich dazu machen.'],
    40369: ['Das geht nur mit eigenen Bildern.', ''],
    40370: ['Alben legt hier nur die Leitung an.', ''],
    40465: ['Dieses Album gibt es nicht, oder du bist nicht darin.', 'Öffne seinen Link, oder scanne den Code.'],
    40466: ['Dieses Bild gibt es nicht mehr.', ''],
    40467: ['Diesen Gast gibt es hier nicht.', ''],
    40468: ['Zu diesem Link gibt es kein Album.', 'Schau, ob er vollständig ist, oder scanne den Code.'],
    40965: ['Mehr Alben gehen nicht.', 'Lösche erst eins, das niemand mehr braucht.'],
    40966: ['Mehr Gäste gehen nicht in dieses Album.', 'Ein Gastgeber kann jemanden entfernen.'],
    40967: ['Mehr Bilder gehen nicht in dieses Album.', 'Nimm erst welche zurück.'],
    40968: ['Jemand muss Gastgeber bleiben.', 'Mach erst jemand anderen dazu.'],
    40969: ['Dieses Bild ist nicht entfernt.', ''],
    41065: ['Das Album ist zu Ende.', 'Wer dabei ist, sieht weiter alles. Ein Gastgeber kann es wieder öffnen.'],
    41066: ['Du bist nicht mehr in diesem Album.', 'Mit dem Link oder dem Code kommst du wieder herein.'],
    41365: ['Das Album ist voll.', 'Ein Gastgeber kann Bilder entfernen, oder die Leitung gibt ihm mehr Platz.'],
    41366: ['Dein Platz in diesem Album ist voll.', 'Nimm Bilder zurück, die niemand braucht.'],
    42965: ['Zu viele falsche Versuche.', 'Warte ein paar Minuten.'],
    50365: ['Gerade werden viele Kennwörter geprüft.', 'Versuch es in ein paar Sekunden noch einmal.'],
    50765: ['Auf dem Server ist kaum noch Platz.',
      'Deine Bilder bleiben auf deinem Gerät, du kannst sie später schicken. Die Leitung muss Platz schaffen.'],
  },
};
