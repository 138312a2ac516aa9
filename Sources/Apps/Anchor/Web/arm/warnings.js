// The warnings that arming answers with, in English and German. A test compares the two.

import { language } from '/anchor/words.js';

export const dictionary = {
  en: {
    nobody: () => 'Nobody would be rung: allow notifications on a phone, or pair an agent.',
    'no device': (name) => `${name} has no device that could be rung.`,
    'no drill': () => 'Nobody has tried tonight who would wake: ring all once.',
    'no answer': (name) => `${name} did not answer the drill.`,
    'not tried': (name) => `${name} was not part of the drill.`,
    'no position': () => 'Nobody reports a position at the moment.',
    'no depth': () => 'Nothing reports the depth, so nothing rings for it.',
    'no wind': () => 'Nothing reports the wind, so nothing rings when it shifts.',
    apart: (name) => `${name} is far from the others: each boat needs a hub of her own.`,
    'one source': (name) => `Only ${name} reports a position.`,
    late: (name) => `${name} is late.`,
    lost: (name) => `${name} has fallen silent.`,
    battery: (name) => `The battery of ${name} may not last till the morning.`,
    clock: (name) => `${name} has a wrong clock; its positions count by the hub’s.`,
    'not kept': (name) => `${name} cannot write to its memory card: switched off, it forgets the watch.`,
    outside: () => 'She lies outside the zone already.',
  },
  de: {
    nobody: () => 'Bei niemandem würde es läuten: Erlaube auf einem Telefon Mitteilungen, oder kopple einen Agenten.',
    'no device': (name) => `${name} hat kein Gerät, auf dem es läuten könnte.`,
    'no drill': () => 'Wer aufwachen würde, hat heute niemand geprobt: Lass einmal alle läuten.',
    'no answer': (name) => `${name} hat bei der Probe nicht geantwortet.`,
    'not tried': (name) => `${name} war bei der Probe nicht dabei.`,
    'no position': () => 'Gerade meldet niemand eine Position.',
    'no depth': () => 'Die Wassertiefe meldet kein Gerät; dafür läutet nichts.',
    'no wind': () => 'Den Wind meldet kein Gerät; wenn er dreht, läutet nichts.',
    apart: (name) => `${name} ist weit weg von den anderen: Jedes Boot braucht einen eigenen Server.`,
    'one source': (name) => `Nur ${name} meldet eine Position.`,
    late: (name) => `${name} ist verspätet.`,
    lost: (name) => `${name} ist verstummt.`,
    battery: (name) => `Der Akku von ${name} reicht vielleicht nicht bis zum Morgen.`,
    clock: (name) => `Die Uhr von ${name} geht falsch; seine Positionen gelten nach der des Servers.`,
    'not kept': (name) => `${name} kann nicht auf die Speicherkarte schreiben: Ausgeschaltet vergisst es die Wache.`,
    outside: () => 'Das Boot liegt schon außerhalb des Bereichs.',
  },
};

export const warnings = dictionary[language];
