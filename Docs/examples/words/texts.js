// The page's words, in English and German.

const texts = {
  en: {
    title: 'Words',
    intro: 'Up to four at a table get the same nine letters and a minute. Everybody’s five longest words count, a '
      + 'point a letter. Who takes a word first has it.',
    name: 'Your name', table: 'Table', tableHint: 'Whoever names the same table plays with you.', sit: 'Sit down',
    at: (table) => `Table ${table}`,
    full: 'Four sit there already. Name another table.',
    alone: 'Nobody else is here yet. Send others this page’s address.',
    start: 'Start', again: 'Another round', language: 'Words in', de: 'German', en: 'English',
    seconds: (left) => `${left} seconds`,
    letters: 'The letters', word: 'Your word', take: 'Take it', clear: 'Clear',
    players: 'Players', you: 'you', points: (count) => (count === 1 ? '1 point' : `${count} points`),
    laying: (count) => `lays ${count}`,
    tookIt: (name, word) => `${name} took ${word}`,
    won: (names) => `${names.join(' and ')} ${names.length > 1 ? 'have' : 'has'} won.`,
    nobody: 'Nobody found a word.',
    short: 'A word has three letters at least.',
    other: 'These letters do not make that word.',
    unknown: (word) => `“${word}” is not in the list.`,
    gone: (word) => `“${word}” is taken already.`,
    lost: 'No connection. It goes on by itself.',
    failed: 'That did not work. Try again.',
  },
  de: {
    title: 'Wörter',
    intro: 'Bis zu vier an einem Tisch bekommen dieselben neun Buchstaben und eine Minute. Von jedem zählen die fünf '
      + 'längsten Wörter, ein Punkt je Buchstabe. Wer ein Wort zuerst nimmt, hat es.',
    name: 'Dein Name', table: 'Tisch', tableHint: 'Wer denselben Tisch nennt, spielt mit dir.', sit: 'Hinsetzen',
    at: (table) => `Tisch ${table}`,
    full: 'Da sitzen schon vier. Nimm einen anderen Tisch.',
    alone: 'Noch ist sonst niemand da. Schick anderen die Adresse dieser Seite.',
    start: 'Los', again: 'Noch eine Runde', language: 'Wörter auf', de: 'Deutsch', en: 'Englisch',
    seconds: (left) => `${left} Sekunden`,
    letters: 'Die Buchstaben', word: 'Dein Wort', take: 'Nehmen', clear: 'Löschen',
    players: 'Am Tisch', you: 'du', points: (count) => (count === 1 ? '1 Punkt' : `${count} Punkte`),
    laying: (count) => `legt ${count}`,
    tookIt: (name, word) => `${name} nimmt ${word}`,
    won: (names) => `${names.join(' und ')} ${names.length > 1 ? 'haben' : 'hat'} gewonnen.`,
    nobody: 'Niemand hat ein Wort gefunden.',
    short: 'Ein Wort hat mindestens drei Buchstaben.',
    other: 'Das geben die Buchstaben nicht her.',
    unknown: (word) => `„${word}“ steht nicht in der Liste.`,
    gone: (word) => `„${word}“ ist schon weg.`,
    lost: 'Keine Verbindung. Es geht von selbst weiter.',
    failed: 'Das ging nicht. Versuch es noch einmal.',
  },
};

export const language = navigator.language.startsWith('de') ? 'de' : 'en';
export const text = texts[language];
