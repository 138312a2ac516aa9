// The words of the page on which one records a voice, in German and English.

import { choose } from '/words.js';

export const dictionary = {
  en: {
    title: 'Record your own voice',
    clock: 'Clock',
    lead: 'Some words, each said within a phrase: then the clock speaks with your voice, on all your devices. It takes '
      + 'about ten minutes; leave at any time and go on later.',
    name: 'Whose voice it is',
    nameHint: 'As it will stand in the list: “Grandfather Karl”.',
    language: 'Language',
    languages: { en: 'English', de: 'Deutsch' },
    begin: 'Begin',
    goOn: 'Go on where you stopped',
    signIn: 'Sign in',
    outside: 'The recordings belong to you: sign in first.',
    gone: 'This voice is not there any more.',
    retry: 'Try again',
    of: (done, all) => `${done} of ${all}`,
    left: (minutes) => (minutes > 1 ? `about ${minutes} minutes left` : minutes ? 'about a minute left' : ''),
    parts: 'Parts',
    ifYouLike: (word) => `${word}, if you like`,
    done: 'done', redo: 'better once more',
    sayWhole: 'Say the whole phrase',
    only: (word) => ['Only ', word, ' is kept, so that its tone fits when joined.'],
    record: 'Record', stop: 'Stop', again: 'Again', recordAgain: 'Record again',
    hear: 'Hear it', hearJoined: 'Hear the sentence',
    next: (word) => `Next: ${word}`,
    recording: 'Recording',
    wave: (whole, from, to) => `The recording: ${whole} seconds. Kept is the part from ${from} to ${to} seconds.`,
    start: 'Start of the part', end: 'End of the part', seconds: (value) => `${value} seconds`,
    level: 'Loudness', quiet: 'too quiet', loud: 'too loud',
    verdicts: {
      good: 'as loud as the others', quiet: 'too quiet: come closer', loud: 'too loud: go back a little',
      unclipped: 'not distorted', clipped: 'distorted: once more, a little softer',
      clean: 'quiet room', noisy: 'noise in the room',
      short: 'too short: move the ends', long: 'too long: move the ends',
    },
    nothing: 'Nothing was heard. Look whether the right microphone is chosen, and say it again.',
    saved: 'saved', saving: 'saving …', unsaved: 'not saved yet',
    there: 'It is recorded already. Say it again, or go on.',
    hint: 'Recordings stay on this hub; leave at any time and go on later.',
    keys: [['Space', 'record and stop'], ['P', 'hear'], ['→', 'next']],
    allThere: 'All parts are there.',
    allText: 'The clock can speak with this voice now: on a 12-hour clock, every 15, 30 or 60 minutes.',
    use: 'Speak with this voice',
    toClock: 'To the clock',
    obstacles: {
      insecure: ['Browsers give a page the microphone over HTTPS only.', [
        'Open this hub by its https address.',
        'If it has none yet: whoever runs it finds the steps in the manual, at /docs/https.']],
      unsupported: ['This browser cannot record here.', ['Open the page in a newer Chrome, Firefox or Safari.']],
      refused: ['The page may not use the microphone.', [
        'Touch the icon to the left of the address.', 'Allow the microphone for this page.',
        'Touch Record once more. On a phone, look in its settings too, whether the browser may.']],
      none: ['No microphone was found.', [
        'Connect one, or choose it in the system’s settings.', 'Touch Record again.']],
      busy: ['The microphone could not be started.', [
        'Another program may be using it: close that.', 'Touch Record again.']],
    },
  },
  de: {
    title: 'Eigene Stimme aufnehmen',
    clock: 'Uhr',
    lead: 'Einige Wörter, jedes in einem Satz gesprochen: Dann spricht die Uhr mit deiner Stimme, auf allen deinen '
      + 'Geräten. Es dauert etwa zehn Minuten; du kannst jederzeit gehen und später weitermachen.',
    name: 'Wessen Stimme es ist',
    nameHint: 'So steht sie in der Liste: „Opa Karl“.',
    language: 'Sprache',
    languages: { en: 'English', de: 'Deutsch' },
    begin: 'Anfangen',
    goOn: 'Weitermachen, wo du aufgehört hast',
    signIn: 'Anmelden',
    outside: 'Die Aufnahmen gehören dir: Melde dich erst an.',
    gone: 'Diese Stimme gibt es nicht mehr.',
    retry: 'Noch einmal versuchen',
    of: (done, all) => `${done} von ${all}`,
    left: (minutes) => (minutes > 1 ? `noch etwa ${minutes} Minuten` : minutes ? 'noch etwa eine Minute' : ''),
    parts: 'Teile',
    ifYouLike: (word) => `${word}, wenn du magst`,
    done: 'fertig', redo: 'lieber noch einmal',
    sayWhole: 'Sprich den ganzen Satz',
    only: (word) => ['Nur ', word, ' bleibt, damit der Ton passt.'],
    record: 'Aufnehmen', stop: 'Stopp', again: 'Nochmal', recordAgain: 'Noch einmal aufnehmen',
    hear: 'Anhören', hearJoined: 'Im Satz anhören',
    next: (word) => `Weiter: ${word}`,
    recording: 'Aufnahme läuft',
    wave: (whole, from, to) => `Die Aufnahme: ${whole} Sekunden. Es bleibt der Teil von ${from} bis ${to} Sekunden.`,
    start: 'Anfang des Teils', end: 'Ende des Teils', seconds: (value) => `${value} Sekunden`,
    level: 'Lautstärke', quiet: 'zu leise', loud: 'zu laut',
    verdicts: {
      good: 'so laut wie die anderen', quiet: 'zu leise: geh näher heran', loud: 'zu laut: geh etwas zurück',
      unclipped: 'nicht verzerrt', clipped: 'verzerrt: noch einmal, etwas leiser',
      clean: 'ruhiger Raum', noisy: 'Geräusche im Raum',
      short: 'zu kurz: verschieb die Enden', long: 'zu lang: verschieb die Enden',
    },
    nothing: 'Es war nichts zu hören. Schau, ob das richtige Mikrofon gewählt ist, und sprich noch einmal.',
    saved: 'gespeichert', saving: 'wird gespeichert …', unsaved: 'noch nicht gespeichert',
    there: 'Das ist schon aufgenommen. Sprich es noch einmal, oder geh weiter.',
    hint: 'Die Aufnahmen bleiben auf diesem Server; geh jederzeit und mach später weiter.',
    keys: [['Leertaste', 'Aufnahme und Stopp'], ['P', 'anhören'], ['→', 'weiter']],
    allThere: 'Alle Teile sind da.',
    allText: 'Die Uhr kann jetzt mit dieser Stimme sprechen: mit 12 Stunden, alle 15, 30 oder 60 Minuten.',
    use: 'Mit dieser Stimme sprechen',
    toClock: 'Zur Uhr',
    obstacles: {
      insecure: ['Browser geben einer Seite das Mikrofon nur über HTTPS.', [
        'Öffne diesen Server unter seiner https-Adresse.',
        'Hat er noch keine: Wer ihn betreibt, findet die Schritte im Handbuch unter /docs/https.']],
      unsupported: ['Dieser Browser kann hier nicht aufnehmen.', [
        'Öffne die Seite in einem neueren Chrome, Firefox oder Safari.']],
      refused: ['Die Seite darf das Mikrofon nicht benutzen.', [
        'Tippe auf das Symbol links neben der Adresse.', 'Erlaube das Mikrofon für diese Seite.',
        'Tippe noch einmal auf Aufnehmen. Am Telefon: Schau auch in dessen Einstellungen, ob der Browser darf.']],
      none: ['Es wurde kein Mikrofon gefunden.', [
        'Schließ eines an, oder wähl es in den Einstellungen des Systems.', 'Tippe noch einmal auf Aufnehmen.']],
      busy: ['Das Mikrofon ließ sich nicht starten.', [
        'Vielleicht benutzt es ein anderes Programm: Schließ das.', 'Tippe noch einmal auf Aufnehmen.']],
    },
  },
};

export const { language, locale } = choose(['en', 'de']);
export const words = dictionary[language];
