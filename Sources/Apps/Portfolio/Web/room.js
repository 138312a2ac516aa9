// The room's data for the shell.

export const room = {
  id: 'portfolio',
  order: 85,
  settings: '/portfolio',
  icon: 'M3 8l9-5 9 5M4 8h16v12H4zM7.5 17l3.5-4 2.5 2.5 1.5-1.5 2 3',
  en: {
    name: 'Portfolio', short: 'Portfolio', setting: 'a photographer’s work',
    about: 'Your galleries, always in the pocket.',
    choice: 'Portfolio', offer: 'Your galleries, always in the pocket',
  },
  de: {
    name: 'Portfolio', short: 'Portfolio', setting: 'die eigenen Bilder',
    about: 'Deine Galerien, immer in der Tasche.',
    choice: 'Portfolio', offer: 'Deine Galerien, immer in der Tasche',
  },
};

// Its part of the service worker, which the packer adds (bin/packing/rooms.py).
export const parts = {
  worker: '/portfolio/keeping/worker.js',
  apart: '/portfolio/player',
  search: '/portfolio/searching.js',
};

// The audit's actions.
export const audit = {
  en: {
    'portfolio.made': (who, name) => `${who} added the portfolio ${name}`,
    'portfolio.authorized': (who, name) => `${who} authorized the portfolio ${name} anew`,
    'portfolio.removed': (who, name) => `${who} deleted the portfolio ${name}`,
    'portfolio.sent': (who, name) => `${who} made a link to ${name} for clients`,
    'portfolio.mailed': (who, name) => `${who} e-mailed the link to ${name}`,
    'portfolio.withdrawn': (who, name) => `${who} withdrew the link to ${name}`,
    'portfolio.shared': (who, name) => `${who} opened ${name} to everybody`,
    'portfolio.unshared': (who, name) => `${who} took back what of ${name} was open to everybody`,
    'portfolio.gallery_removed': (who, name) => `${who} deleted the gallery ${name} of a portfolio`,
  },
  de: {
    'portfolio.made': (who, name) => `${who} hat das Portfolio ${name} angelegt`,
    'portfolio.authorized': (who, name) => `${who} hat dem Portfolio ${name} den Zugriff neu erlaubt`,
    'portfolio.removed': (who, name) => `${who} hat das Portfolio ${name} gelöscht`,
    'portfolio.sent': (who, name) => `${who} hat einen Link zu ${name} für Kunden angelegt`,
    'portfolio.mailed': (who, name) => `${who} hat den Link zu ${name} gemailt`,
    'portfolio.withdrawn': (who, name) => `${who} hat den Link zu ${name} zurückgezogen`,
    'portfolio.shared': (who, name) => `${who} hat ${name} für alle geöffnet`,
    'portfolio.unshared': (who, name) => `${who} hat zurückgenommen, was von ${name} für alle offen war`,
    'portfolio.gallery_removed': (who, name) => `${who} hat die Galerie ${name} eines Portfolios gelöscht`,
  },
};

export const duties = {
  en: { member: ['keeps portfolios'] },
  de: { member: ['hat eigene Portfolios'] },
};

// The data removed with a person.
export const removed = {
  en: ['portfolios with their pictures and links'],
  de: ['Portfolios mit Bildern und Links'],
};

// Errors by their codes; in English the hub's own sentence is the default.
export const errors = {
  en: {
    40087: ['All that you have chosen is private at its source.', 'Tick private pictures too if they are to go along.'],
  },
  de: {
    40085: ['Diese Quelle lässt sich nicht verwenden.', 'Schau, ob die Adresse oder der Pfad stimmt; der Pfad eines '
      + 'Ordners beginnt mit /.'],
    40385: ['Portfolios aus Ordnern des Servers legt nur die Leitung an.', 'Frag jemanden von ihr.'],
    40485: ['Dieses Portfolio gibt es nicht, oder es gehört dir nicht.', ''],
    40486: ['Diese Galerie gibt es in dem Portfolio nicht.', ''],
    40487: ['Diese Datei gibt es von dem Bild nicht.', ''],
    40488: ['Diese Erlaubnis hat hier niemand angefragt, oder es ist zu lange her.', 'Fang noch einmal an.'],
    40091: ['So lässt sich das nicht senden.', 'Lade die Seite neu und versuch es noch einmal.'],
    40092: ['Das ist kein Bild oder Video, das hier bekannt ist.', ''],
    40491: ['Diese Übertragung gibt es nicht mehr.', 'Sie beginnt von vorn.'],
    40492: ['Dieses Bild gibt es in dem Portfolio nicht.', ''],
    40493: ['Bei Flickr hast du diesem Server noch nichts erlaubt.', 'Füg ein Portfolio hinzu und erlaub es dort.'],
    40991: ['Die Übertragung geht an einer anderen Stelle weiter.', 'Sie findet sie von selbst.'],
    40992: ['Die Galerien dieses Portfolios sind die seiner Quelle.', 'Ändere sie dort.'],
    40993: ['Mehr passt hier nicht hinein.', 'Beginn eine andere Galerie oder ein anderes Portfolio.'],
    41091: ['Die Übertragung hat zu lange geruht.', 'Sie beginnt von vorn.'],
    41291: ['Diese Art der Übertragung spricht der Server nicht.', 'Lade die Seite neu.'],
    41391: ['Die Datei ist zu groß.', ''],
    41392: ['Dein Platz für Portfolios ist voll.',
      'Entferne Bilder oder ein Portfolio, oder bitte die Leitung um Platz.'],
    41591: ['So schickt man hier nichts.', 'Lade die Seite neu und versuch es noch einmal.'],
    42391: ['Diese Datei wird gerade schon geschickt.', 'Warte kurz.'],
    42991: ['Zu viele Übertragungen sind unterwegs.', 'Warte, bis welche fertig sind.'],
    46091: ['Unterwegs ging etwas kaputt.', 'Es wird noch einmal geschickt.'],
    50791: ['Auf dem Server ist kaum noch Platz.',
      'Deine Bilder bleiben auf deinem Gerät, du kannst sie später schicken. Die Leitung muss Platz schaffen.'],
    40494: ['Hier ist nichts geteilt, oder nicht mehr.', 'Frag, wer dir die Adresse gegeben hat.'],
    40994: ['Dieses Bild ist bei seiner Quelle privat: Andere sehen es nicht.', 'Mach es dort öffentlich.'],
    40995: ['Mehr lässt sich aus diesem Portfolio nicht teilen.', 'Nimm erst etwas zurück.'],
    40086: ['In dem, was du gewählt hast, ist kein Bild.', 'Schau die Quelle neu an oder wähl andere Galerien.'],
    40087: ['Alles, was du gewählt hast, ist bei seiner Quelle privat.',
      'Hak private Bilder an, wenn sie mitgehen sollen.'],
    40088: ['Mit einem Link gehen höchstens 2000 Bilder.', 'Schick sie in Teilen.'],
    40186: ['Dieser Link fragt nach einer PIN.', ''],
    40386: ['Das ist nicht die PIN.', 'Frag, wer dir den Link geschickt hat.'],
    40489: ['Unter diesem Link ist nichts.', 'Frag, wer ihn dir geschickt hat.'],
    40986: ['Öfter geht dieses Portfolio nicht an Kunden.', 'Zieh Links zurück, die niemand mehr braucht.'],
    40987: ['Mehr lässt sich unter diesem Link nicht anmerken.', 'Bitte um einen eigenen.'],
    40988: ['Dieser Server schickt keine E-Mails.', 'Kopier den Link, oder bitte die Leitung um einen Mailserver.'],
    41086: ['Dieser Link gilt nicht mehr.', 'Bitte um einen neuen.'],
    42386: ['Nach zu vielen falschen PINs ist dieser Link gesperrt.', 'Bitte um eine neue PIN.'],
    42986: ['Einige PINs waren falsch.', 'Versuch es später noch einmal.'],
    50386: ['Gerade werden andere Dateien erstellt.', 'Versuch es in einer Minute noch einmal.'],
    40985: ['Mehr Portfolios gehen nicht.', 'Lösche erst eins, das du nicht mehr brauchst.'],
  },
};

// The reasons of faults by their codes.
export const reasons = {
  'portfolio-no-flickr-key': 'Dieser Server hat keinen Schlüssel für Flickr; wer ihn betreibt, setzt flickr_key und '
    + 'flickr_secret_file',
  'flickr-busy': 'Flickr ist gerade überlastet und möchte später gefragt werden',
  'flickr-denied': 'Flickr lässt diesen Server nicht mehr herein ({words}, Code {code}): Wähl „Optionen“, „Bei '
    + 'Flickr neu erlauben“',
  'flickr-key': 'Flickr nimmt den Schlüssel dieses Servers nicht an ({words}, Code {code}): Wer ihn betreibt, prüft '
    + 'flickr_key und flickr_secret_file',
  'flickr-cut': 'Flickr bricht die Liste dieser Galerie ab',
  'flickr-refused': 'Flickr lehnt ab: {words} (Code {code})',
  'flickr-odd': 'Die Antwort ist nicht von Flickr oder nicht zu verstehen',
  'flickr-no-user': 'Bei Flickr gibt es niemanden namens {name}',
  'flickr-hidden': 'Flickr zeigt diese Galerie hier nicht; was schon da ist, bleibt',
  'flickr-empty': 'Flickr zählt darin Bilder ({count}), nennt aber keins',
  'flickr-no-file': 'Flickr nennt keine Datei dazu',
  'flickr-no-stream': 'Flickr hat zu diesem Video keine Fassung, die sich holen lässt',
  'flickr-half': 'Die Datei bricht auf Flickrs Seite ab',
  'picture-gone': 'Es ist nicht mehr da',
  'disk-nearly-full': 'Auf dem Server ist kaum noch Platz',
  'portfolio-source-missing': 'Dieser Server hat gerade keine Quellen der Art {kind}',
  'portfolio-many-gone': '{gone} von {all} Bildern sind nicht mehr in der Quelle; keins wird entfernt, bevor du sagst, '
    + 'dass sie gehen dürfen',
  'portfolio-in-line': 'Gerade sind andere Portfolios an der Reihe',
  'portfolio-hub-failed': 'Der Server konnte es nicht behalten; sein Protokoll sagt, warum',
  'portfolio-too-deep': 'Ordner, die tiefer als {levels} Ebenen liegen, fehlen ({count}); schieb sie weiter nach oben',
  'portfolio-unnamed': 'Dateien und Ordner, deren Namen nicht in UTF-8 sind, wie aus alten Archiven, fehlen '
    + '({count}); benenn sie um',
  'portfolio-share-full': 'Die Portfolios belegen {used} von {limit}: Entferne Bilder oder ein Portfolio, oder bitte '
    + 'die Leitung um mehr Platz',
  'portfolio-too-many': '{count} sind mehr als die {limit}, die in ein Portfolio passen',
  'portfolio-no-program': 'Das Programm, das Bilder verkleinert, lässt sich gerade nicht benutzen; auf dem Server sagt '
    + '„eightbells doctor“, warum',
  'portfolio-not-a-picture': 'Das ist kein Bild oder Video, das sich lesen lässt',
  'portfolio-picture-too-large': 'Es hat mehr Pixel, als sich verkleinern lassen, oder dauert länger als eine Stunde',
  'portfolio-took-too-long': 'Es zu verkleinern hat zu lange gedauert',
  'portfolio-program-failed': 'Das Programm, das Bilder verkleinert, ist daran gescheitert',
  'portfolio-file-empty': 'Die Datei ist leer',
  'portfolio-file-too-large': 'Die Datei ist größer als {megabytes} MB',
  'portfolio-file-unreadable': 'Die Datei lässt sich nicht lesen',
  'portfolio-file-changes': 'Die Datei wird gerade geändert',
  'portfolio-folder-away': 'Der Ordner {path} ist nicht da ({words}); deshalb wird nichts entfernt',
  'portfolio-folder-unseen': 'Der Server sieht keinen Ordner {path}; es braucht den ganzen Pfad',
  'portfolio-folder-hidden': 'Der Dienst sieht den Ordner {path} nicht, und nichts unterhalb von /home (ProtectHome); '
    + 'deshalb wird nichts entfernt',
  'portfolio-album-left': 'Du bist nicht mehr in diesem Album',
  'portfolio-webdav-address': 'Die Adresse ist nicht zu gebrauchen: {words}',
  'portfolio-webdav-away': 'Der Server dort hat diesen Ordner nicht; deshalb wird nichts entfernt',
  'portfolio-not-webdav': 'Der Server dort antwortet nicht, wie WebDAV es tut (Status {status})',
  'portfolio-page-instead': 'Der Server dort hat statt der Datei eine Webseite geschickt',
  'portfolio-other-size': '{count} Bytes kamen, wo {expected} versprochen waren',
  'portfolio-sent-elsewhere': 'Der Server dort schickt an eine andere Adresse weiter',
};
