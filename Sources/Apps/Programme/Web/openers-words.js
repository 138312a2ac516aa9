// The words about openers, in German and English.

import { language } from '/shell-words.js';

export const dictionary = {
  en: {
    title: 'Who opens',
    you: 'you',
    youOpen: 'You open.',
    opens: (name) => `${name} opens.`,
    open: (names) => `${names} open.`,
    nobody: 'Nobody has said yet that they open.',
    asked: 'Whoever has a key sees that in the programme.',
    notAsked: 'Nobody has put themselves down, and nobody was asked.',
    nobodyYet: 'nobody opens yet',
    iOpen: 'I open',
    cannot: 'I cannot after all',
    want: 'Ask for somebody who opens',
    notWanted: 'Ask no more',
    door: { closed: 'The space is closed.', unknown: 'Nobody knows whether the space is open.' },
    doorLastKnown: {
      closed: 'The space is closed, as far as this device knows.',
      unknown: 'Nobody knows whether the space is open.',
    },
    beginsIn: (minutes) => (minutes === 1 ? 'This begins in a minute.' : `This begins in ${minutes} minutes.`),
    shouldHaveBegun: (time) => `This should have begun at ${time}.`,
  },

  de: {
    title: 'Wer aufschließt',
    you: 'du',
    youOpen: 'Du schließt auf.',
    opens: (name) => `${name} schließt auf.`,
    open: (names) => `Es schließen auf: ${names}.`,
    nobody: 'Noch hat niemand gesagt, dass er aufschließt.',
    asked: 'Wer einen Schlüssel hat, sieht das im Programm.',
    notAsked: 'Niemand hat sich eingetragen, und niemand wurde gefragt.',
    nobodyYet: 'noch schließt niemand auf',
    iOpen: 'Ich schließe auf',
    cannot: 'Ich kann doch nicht',
    want: 'Fragen, wer aufschließt',
    notWanted: 'Nicht mehr fragen',
    door: { closed: 'Der Space ist geschlossen.', unknown: 'Niemand weiß, ob der Space offen ist.' },
    doorLastKnown: {
      closed: 'Der Space ist geschlossen, soweit dieses Gerät weiß.',
      unknown: 'Niemand weiß, ob der Space offen ist.',
    },
    beginsIn: (minutes) => (minutes === 1 ? 'Das hier beginnt in einer Minute.'
      : `Das hier beginnt in ${minutes} Minuten.`),
    shouldHaveBegun: (time) => `Das hier hätte um ${time} Uhr beginnen sollen.`,
  },
};

export const openersWords = dictionary[language];
