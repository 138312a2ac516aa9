// The words of a guest's page in German.

import { locale } from '/shell-words.js';

const pictures = (count) => (count === 1 ? '1 Bild' : `${count.toLocaleString(locale)} Bilder`);

export const german = {
  title: 'Album',
  join: {
    title: 'Du bist eingeladen',
    text: 'Hier teilen alle ihre Bilder. Kein Konto, nichts zu installieren.',
    textOf: (count) => (count === 1 ? 'Hier werden Bilder geteilt. Kein Konto, nichts zu installieren.'
      : `${count} Leute teilen ihre Bilder. Kein Konto, nichts zu installieren.`),
    textOfBox: 'Gib den Gastgebern deine Bilder. Kein Konto, nichts zu installieren.',
    button: 'Mitmachen',
    small: 'Die anderen hier sehen deine Bilder. Du kannst deine jederzeit zurücknehmen. Wo und womit sie aufgenommen '
      + 'sind, erfahren nur die Gastgeber.',
    smallOfBox: 'Nur die Gastgeber sehen deine Bilder, und wo und womit sie aufgenommen sind. Du kannst deine '
      + 'jederzeit zurücknehmen.',
    passphrase: 'Kennwort',
    passphraseHint: 'Es steht beim Code; auch die Gastgeber kennen es.',
  },
  asked: {
    title: 'Gleich lässt dich jemand herein',
    text: 'Die Gastgeber sehen, dass du wartest; dauert es lange, sag einem Bescheid. Die Seite öffnet sich von '
      + 'selbst.',
    name: 'Dein Name',
    nameHint: 'Damit sie sehen, wer fragt.',
    send: 'Namen schicken',
    told: (name) => `Sie sehen: ${name}.`,
    lost: 'Gerade gibt es keine Verbindung. Die Seite fragt weiter.',
  },
  over: {
    wrong: ['Dieser Link führt zu keinem Album', 'Vielleicht gibt es einen neuen. Scanne den Code noch einmal, oder '
      + 'frag bei der Person nach, von der du den Link hast.'],
    none: ['Welches Album?', 'Öffne den ganzen Link, den du bekommen hast, oder scanne den Code mit der Kamera.'],
    closed: ['Dieses Album ist geschlossen', 'Es kommt niemand mehr dazu. Die Gastgeber können es wieder öffnen.'],
    gone: ['Dieses Album gibt es nicht mehr', 'Die Gastgeber haben es gelöscht. Was du mit der Kamera-App deines '
      + 'Telefons aufgenommen hast, ist noch dort.'],
    removed: ['Du bist nicht mehr in diesem Album', 'Jemand von den Gastgebern hat dich entfernt, du bist '
      + 'gegangen, oder dieses Gerät wurde abgemeldet. War das ein Irrtum, frag sie und öffne den Link noch einmal.'],
    refused: ['Die Gastgeber haben Nein gesagt', 'War das ein Irrtum, sprich mit ihnen und öffne den Link noch '
      + 'einmal.'],
    'signed-out': ['Du bist abgemeldet', 'Dieses Album siehst du mit deinem Konto. Melde dich auf diesem Gerät an, und '
      + 'öffne es dann noch einmal.'],
    signIn: 'Anmelden', mine: 'Deine Alben',
    again: 'Link noch einmal versuchen',
    forget: 'Von diesem Gerät entfernen',
    forgetAsk: (count) => `${pictures(count)}, ${count === 1 ? 'das nicht gesendet ist, geht' : 'die nicht gesendet '
      + 'sind, gehen'} mit. Was du mit der Kamera dieser Seite aufgenommen hast, gibt es sonst nirgends.`,
    forgetYes: 'Alles entfernen',
    others: 'Andere Alben auf diesem Gerät',
    left: (count) => `${pictures(count)} von dir ${count === 1 ? 'ist' : 'sind'} noch auf diesem Gerät und nicht `
      + 'gesendet.',
  },
  head: {
    counts: (all, guests) => `${pictures(all)}, ${guests === 1 ? '1 Person' : `${guests} Leute`}`,
    mine: (all) => `${pictures(all)} von dir`,
    guest: 'Du bist Gast',
    addName: 'Namen ergänzen',
    change: 'Ändern',
    switch: (count) => (count === 1 ? '1 anderes Album' : `${count} andere Alben`),
    closed: 'Dieses Album ist geschlossen: Du kannst es ansehen und deine Bilder zurücknehmen, Neues '
      + 'nimmt es nicht mehr an.',
    offline: 'Keine Verbindung. Du siehst, was zuletzt da war.',
    partly: (shown, all) => `Keine Verbindung. Du siehst, was zuletzt da war, ${shown.toLocaleString(locale)} von ${
      all.toLocaleString(locale)} Bildern.`,
    uploadOnly: 'Nur die Gastgeber sehen, was hereinkommt. Hier stehen deine eigenen.',
    review: 'Die Gastgeber sehen sich jedes Bild an, bevor alle es sehen.',
  },
  me: {
    title: 'Dein Name',
    label: 'Name',
    hint: 'Er steht bei deinen Bildern. Lass ihn leer, um Gast zu bleiben.',
    save: 'Speichern',
    leave: 'Dieses Album verlassen',
    leaveText: 'Deine Bilder bleiben da, und später kannst du sie nicht mehr zurücknehmen.',
    leaveBack: (count) => `Vorher ${count === 1 ? 'mein Bild' : `alle meine ${pictures(count)}`} zurücknehmen`,
    leaveUnsent: (count) => `${pictures(count)} ${count === 1 ? 'ist nicht gesendet und wird' : 'sind nicht gesendet '
      + 'und werden'} von diesem Gerät gelöscht. Was du mit der Kamera dieser Seite aufgenommen hast, gibt es sonst `
      + 'nirgends.',
    leaveYes: 'Verlassen',
  },
  albums: {
    title: 'Alben auf diesem Gerät', here: 'hier bist du', waiting: (count) => `${pictures(count)} nicht gesendet`,
  },
  empty: {
    title: 'Das erste Bild ist deins.',
    text: 'Nimm eins auf, oder wähle welche aus. Wer diesen Code scannt, ist auch dabei.',
    closed: 'Hier sind keine Bilder.',
    alt: 'QR-Code des Links zu diesem Album',
  },
  take: 'Aufnehmen',
  choose: 'Auswählen',
  queue: {
    sending: (now, all) => (all === 1 ? 'Sendet 1 Bild' : `Sendet ${now} von ${all}`),
    started: 'Bilder werden gesendet.',
    paused: (count) => (count === 1 ? '1 Bild wartet' : `${count} Bilder warten`),
    left: (bytes) => `noch ${bytes}`,
    about: (seconds) => {
      const minutes = Math.round(seconds / 60) || 1;
      return seconds < 50 ? 'weniger als eine Minute' : `etwa ${minutes} ${minutes === 1 ? 'Minute' : 'Minuten'}`;
    },
    done: (count) => (count === 1 ? 'Dein Bild ist da' : `Alle ${count} sind da`),
    failed: (count) => (count === 1 ? '1 Bild wurde nicht angenommen' : `${count} Bilder wurden nicht angenommen`),
    states: { keeping: 'kommt', waits: 'wartet', sent: 'gesendet', known: 'ist da', failed: 'nicht gesendet' },
    percent: (share) => `${share} %`,
    keeping: 'Lass die Seite offen: Noch sind nicht alle auf diesem Gerät gespeichert.',
    stay: 'Lass die Seite offen, solange sie sendet. Wenn du sie schließt, geht es später dort weiter.',
    goesOn: 'Du kannst die Seite schließen: Dieser Browser sendet den Rest von selbst, sobald Netz da ist.',
    fleeting: 'Dieser Browser hebt nichts für uns auf (ein privates Fenster, oder das Gerät ist voll?). Lass die Seite '
      + 'offen, bis alle gesendet sind.',
    pauses: {
      network: 'Keine Verbindung. Deine Bilder warten auf diesem Gerät und gehen von selbst weiter.',
      busy: 'Der Server hat viel zu tun. Gleich geht es von selbst weiter.',
      full: 'Der Server ist fast voll. Wer ihn betreibt, muss Platz schaffen; deine Bilder warten auf diesem Gerät.',
      room: 'Das Album ist voll, oder dein Anteil daran. Die Gastgeber, oder wer den Server betreibt, können Platz '
        + 'schaffen; deine Bilder warten auf diesem Gerät und gehen dann von selbst weiter.',
      stopped: 'Das Album nimmt gerade nichts an. Deine Bilder warten auf diesem Gerät.',
      elsewhere: 'Ein anderer Tab mit diesem Album sendet sie.',
    },
    empty: 'Diese Datei ist leer: Es gibt nichts zu schicken.',
    unkept: 'Dieses Gerät konnte es nicht lesen. Wähle es noch einmal aus.',
    tooMany: (count) => `${count === 1 ? '1 wurde' : `${count} wurden`} weggelassen: ${500} können zugleich warten. `
      + 'Wähle sie noch einmal aus, wenn diese gesendet sind.',
    notTaken: 'Das ging schief: Nichts davon ist angekommen. Lade die Seite neu und wähle noch einmal aus.',
    leftOut: (names, count) => (count === 1 ? `${names} ist weder ein Bild noch ein Video und wurde weggelassen.`
      : `${count} Dateien sind weder Bilder noch Videos und wurden weggelassen: ${names}.`),
    backSent: 'Zurücknehmen',
    away: 'Weglegen', awayAsk: 'Es ist nicht gesendet. Hast du es mit der Kamera dieser Seite aufgenommen, gibt es das '
      + 'sonst nirgends.',
    awayYes: 'Endgültig weglegen', keep: 'Behalten', save: 'Auf dem Gerät speichern',
    saveReady: 'Bereit: jetzt speichern',
    retry: 'Noch einmal versuchen', retryAll: 'Alle noch einmal versuchen',
    details: (name, state) => `${name || 'Ein Bild'}: ${state}`,
    preparing: 'Das Telefon holt deine Bilder …',
  },
  camera: {
    title: 'Kamera',
    shutter: 'Bild aufnehmen',
    turn: 'Andere Kamera',
    modes: 'Bilder oder Videos', photo: 'Bild', film: 'Video',
    record: 'Video beginnen',
    stop: 'Video beenden',
    left: (seconds) => `noch ${seconds} s`,
    silent: 'Ohne Ton: Das Mikrofon ist hier nicht erlaubt.',
    done: 'Fertig',
    taken: (count) => (count === 0 ? '' : pictures(count)),
    refused: 'Die Kamera ist hier nicht erlaubt. Erlaube sie in den Einstellungen des Browsers für diese Seite, oder '
      + 'nimm die Kamera des Telefons und wähle die Bilder danach aus.',
    missing: 'Dieses Gerät hat keine Kamera, die sich benutzen lässt. Wähle stattdessen Bilder aus.',
    failed: 'Das ist nicht aufgenommen. Versuch es noch einmal, oder nimm die Kamera des Telefons und wähle es danach '
      + 'aus.',
    starting: 'Einen Moment …',
  },
  sound: {
    add: 'Ton dazu',
    stop: 'Stopp',
    left: (seconds) => `${seconds} s`,
    added: 'Mit Ton',
    waits: 'Aufgenommen. Der Ton wird von selbst gesendet.',
    refused: 'Das Mikrofon ist hier nicht erlaubt. Erlaube es in den Einstellungen des Browsers für diese Seite.',
    failed: 'Es ist kein Ton aufgenommen. Versuch es noch einmal: Vielleicht benutzt gerade eine andere App das '
      + 'Mikrofon, oder es gibt keins.',
  },
};
