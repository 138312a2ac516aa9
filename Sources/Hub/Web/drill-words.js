// The words of drills, in German and English.

import { language } from '/shell-words.js';

const seconds = (count) => (count < 10 ? Math.round(count * 10) / 10 : Math.round(count));

export const dictionary = {
  en: {
    title: 'Drill: who would hear it',
    about: 'Rings every device that would be rung, in quiet hours too. Whoever has it presses “I hear it”.',
    of: 'What would ring',
    rings: (count) => (count === 1 ? '1 device would ring.' : `${count} devices would ring.`),
    without: (names) => `${names} would hear nothing: no device of theirs can be rung.`,
    nobody: 'Nobody would be rung. Allow notifications on a phone, or pair an agent.',
    ringAll: 'Ring all', ringAgain: 'Ring all again',
    heard: 'rang, and somebody answered', notRung: 'could not be rung', silent: 'rang, and nobody answered in 60 s',
    ringing: 'rings …', after: (count) => `${seconds(count)} s`, bad: 'no answer',
  },
  de: {
    title: 'Probe: wer es hören würde',
    about: 'Läutet auf jedem Gerät, das läuten würde, auch in Ruhezeiten. Wer es hat, drückt „Ich höre es“.',
    of: 'Was läuten würde',
    rings: (count) => (count === 1 ? '1 Gerät würde läuten.' : `${count} Geräte würden läuten.`),
    without: (names) => `Ohne ein Gerät, das läuten kann: ${names}.`,
    nobody: 'Es würde bei niemandem läuten. Erlaube auf einem Telefon Mitteilungen, oder kopple einen Agenten.',
    ringAll: 'Alle läuten lassen', ringAgain: 'Alle noch einmal läuten lassen',
    heard: 'läutete, und jemand hat geantwortet', notRung: 'war nicht zu erreichen',
    silent: 'läutete, und niemand hat in 60 s geantwortet',
    ringing: 'läutet …', after: (count) => `${String(seconds(count)).replace('.', ',')} s`, bad: 'keine Antwort',
  },
};

export const words = dictionary[language];
