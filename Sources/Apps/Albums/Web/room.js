// The room's data for the shell.

export const room = {
  id: 'albums',
  order: 80,
  settings: '/albums',
  guests: '/album',
  icon: 'M4 7h16v13H4zM4 17l5-5 4 4 3-3 4 4M7 4h10',
  en: {
    name: 'Albums', short: 'Albums', setting: 'shared pictures',
    about: 'Everybody’s pictures of a day, without an account.',
    choice: 'Albums', offer: 'Everybody’s pictures, without an account',
  },
  de: {
    name: 'Alben', short: 'Alben', setting: 'gemeinsame Bilder',
    about: 'Die Bilder eines Tages von allen, ganz ohne Konto.',
    choice: 'Alben', offer: 'Die Bilder von allen, ganz ohne Konto',
  },
};

export const parts = {
  worker: '/albums/worker.js',
  share: '/albums/share',
  search: '/albums/searching.js',
};

// The audit's actions.
export const audit = {
  en: {
    'albums.made': (who, name) => `${who} made the album ${name}`,
    'albums.made-for-event': (who, name) => `${who} made the album of ${name}`,
    'albums.changed': (who, name) => `${who} changed the album ${name}`,
    'albums.released': (who, name) => `${who} took the album ${name} off its event`,
    'albums.deleted': (who, name) => `${who} deleted the album ${name}`,
    'albums.host-made': (who, name) => `${who} made somebody a host of ${name}`,
    'albums.host-ended': (who, name) => `${who} made somebody no longer a host of ${name}`,
  },
  de: {
    'albums.made': (who, name) => `${who} hat das Album ${name} angelegt`,
    'albums.made-for-event': (who, name) => `${who} hat das Album zu ${name} angelegt`,
    'albums.changed': (who, name) => `${who} hat das Album ${name} geändert`,
    'albums.released': (who, name) => `${who} hat das Album ${name} vom Termin gelöst`,
    'albums.deleted': (who, name) => `${who} hat das Album ${name} gelöscht`,
    'albums.host-made': (who, name) => `${who} hat jemanden zum Gastgeber von ${name} gemacht`,
    'albums.host-ended': (who, name) => `${who} hat jemanden als Gastgeber von ${name} abgesetzt`,
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
    40075: ['So lässt sich das nicht senden.', 'Lade die Seite neu und versuch es noch einmal.'],
    40076: ['Die Vorschau war kein kleines Bild.', 'Das Bild selbst kommt trotzdem an.'],
    40077: ['Das ist keine Aufnahme, die hier gehört werden kann.', ''],
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
    40475: ['Diese Übertragung gibt es nicht mehr.', 'Sie beginnt von vorn.'],
    40476: ['Diese Datei gibt es von dem Bild nicht.', 'Kleine Größen brauchen einen Moment.'],
    40964: ['Zu diesem Termin gibt es schon ein Album.', 'Seine Gastgeber können auch dich dazu machen.'],
    40965: ['Mehr Alben gehen nicht.', 'Lösche erst eins, das niemand mehr braucht.'],
    40966: ['Mehr Gäste gehen nicht in dieses Album.', 'Ein Gastgeber kann jemanden entfernen.'],
    40967: ['Mehr Bilder gehen nicht in dieses Album.',
      'Auch was entfernt ist, zählt noch 30 Tage mit, wenn es niemand endgültig löscht.'],
    40968: ['Jemand muss Gastgeber bleiben.', 'Mach erst jemand anderen dazu.'],
    40969: ['Dieses Bild ist nicht entfernt.', ''],
    40975: ['Die Übertragung geht an einer anderen Stelle weiter.', 'Sie findet sie von selbst.'],
    40976: ['Ein Gastgeber hat dieses Bild aus dem Album genommen.',
      'Soll es zurück, frag die Gastgeber; 30 Tage lang geht das.'],
    41065: ['Das Album ist geschlossen.', 'Wer dabei ist, sieht weiter alles. Ein Gastgeber kann es wieder öffnen.'],
    41066: ['Du bist nicht mehr in diesem Album.', 'Mit dem Link oder dem Code kommst du wieder herein.'],
    41075: ['Die Übertragung hat zu lange geruht.', 'Sie beginnt von vorn.'],
    41275: ['Diese Art der Übertragung spricht der Server nicht.', 'Lade die Seite neu.'],
    41365: ['Das Album ist voll.',
      'Ein Gastgeber kann entfernte Bilder endgültig löschen, oder die Leitung gibt ihm mehr Platz.'],
    41366: ['Dein Platz in diesem Album ist voll.',
      'Was du zurücknimmst, braucht ihn noch 30 Tage lang, wenn du es nicht sofort löschst. Mehr Platz kann dir die '
        + 'Leitung geben.'],
    41375: ['Die Datei ist zu groß.', ''],
    41575: ['So schickt man hier nichts.', 'Lade die Seite neu und versuch es noch einmal.'],
    42375: ['Diese Datei wird gerade schon geschickt.', 'Warte kurz.'],
    42965: ['Zu viele falsche Versuche.', 'Warte ein paar Minuten.'],
    42975: ['Zu viele Übertragungen sind unterwegs.', 'Warte, bis welche fertig sind.'],
    46075: ['Unterwegs ging etwas kaputt.', 'Es wird noch einmal geschickt.'],
    50365: ['Gerade werden viele Kennwörter geprüft.', 'Versuch es in ein paar Sekunden noch einmal.'],
    50375: ['Gerade werden viele Bilder gemacht.', 'Versuch es in ein paar Sekunden noch einmal.'],
    50376: ['Gerade laden viele etwas herunter.', 'Versuch es in ein paar Minuten noch einmal.'],
    50765: ['Auf dem Server ist kaum noch Platz.',
      'Deine Bilder bleiben auf deinem Gerät, du kannst sie später schicken. Die Leitung muss Platz schaffen.'],
  },
};
