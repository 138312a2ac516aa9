// The parts that one records, each within a phrase that one says: only then its tone fits when it is joined.

import { written } from '/clock/parts.js';

const hours = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'];
const minutes = ['15', '30', '45', '15', '30', '45', '15', '30', '45', '15', '30', '45'];
const news = ['open', 'closed', 'dragging', 'unheard'].map((part) => [part, [part], 0]);
const turn = (list, by) => list[by % list.length];

/** For each language its parts: [part, phrase as parts, index of the part in it]. What is optional stands last. */
const PHRASES = {
  en: {
    needed: [
      ...hours.map((hour, index) => [hour, [hour, turn(minutes, index), index % 2 ? 'AM' : 'PM'], 0]),
      ['15', ['7', '15', 'PM'], 1], ['30', ['4', '30', 'PM'], 1], ['45', ['9', '45', 'AM'], 1],
      ['AM', ['8', '30', 'AM'], 2], ['PM', ['6', '15', 'PM'], 2],
    ],
    optional: [['oclock', ['3', 'oclock', 'PM'], 1], ...news],
  },
  de: {
    needed: [
      ...hours.map((hour, index) => {
        const phrase = turn([['viertel', 'nach', hour], ['halb', hour], ['viertel', 'vor', hour]], index);
        return [hour, phrase, phrase.length - 1];
      }),
      ['ein', ['ein', 'uhr'], 0], ['uhr', ['3', 'uhr'], 1], ['viertel', ['viertel', 'nach', '7'], 0],
      ['nach', ['viertel', 'nach', '4'], 1], ['vor', ['viertel', 'vor', '9'], 1], ['halb', ['halb', '6'], 0],
    ],
    optional: [['dreiviertel', ['dreiviertel', '8'], 0], ...news],
  },
};

const told = (language) => ([part, phrase, index], isOptional) => ({
  part, phrase, index, isOptional,
  words: phrase.map((one, at) => (one === 'viertel' && phrase.length > at + 1 ? 'Viertel' : written(one, language))),
});

/** The parts to record, in their order: [{part, phrase, words, index, isOptional}]. */
export const partsOf = (language) => {
  const { needed, optional } = PHRASES[language];
  return [...needed.map((one) => told(language)(one, false)), ...optional.map((one) => told(language)(one, true))];
};

/** The next part to record after another one (an index): one that is missing, from there on and then from the start. */
export function nextMissing(all, done, after = -1) {
  const order = [...all.keys()].map((at) => (after + 1 + at) % all.length);
  const missing = order.filter((at) => !done.includes(all[at].part));
  return missing.find((at) => !all[at].isOptional) ?? missing[0] ?? -1;
}

/** How a clock is set that says no more than these parts: those of 12 hours and of quarters are recorded here. */
export const saidWith = (parts, { every, quarters, oclock }) => ({
  hours: 12, every: [15, 30, 60].includes(every) ? every : 15,
  quarters: parts.includes('dreiviertel') ? quarters : 'past', oclock: oclock && parts.includes('oclock'),
});

/** Minutes that the missing parts take, half a minute each with saying it again. */
export const minutesLeft = (all, done) =>
  Math.ceil(all.filter(({ part, isOptional }) => !isOptional && !done.includes(part)).length / 2);
