// What the page says, in the reader's language.

const english = {
  title: 'Memory graph', blocks: 'blocks', stood: 'stood still for', took: 'the look took',
  filter: 'Filter by type or field', all: 'All', leaks: 'Leaks', cycles: 'Cycles', fit: 'Fit', closer: 'Zoom in',
  further: 'Zoom out', more: 'more', none: 'No finding matches.', clean: 'No leak and no retain cycle was found.',
  'retain cycle': 'Retain cycle, leaked', 'root leak': 'Root leak', 'reachable cycle': 'Retain cycle, still reachable',
  times: 'times', hidden: 'more blocks are not drawn', objects: 'Blocks', bytes: 'Bytes', found: 'Found',
  sure: 'Certainty', explained: 'every count is explained by the references found',
  unreferred: 'no word in the program’s memory refers to it',
  unexplained: 'a count is higher than the references found: retained by hand, or by an owner that was not seen',
  ring: 'The ring', back: 'back to the first', reached: 'Reached from', address: 'Address', size: 'Size',
  language: 'Language', counts: 'Counts', hierarchy: 'Hierarchy', refers: 'Refers to', referred: 'Referred to by',
  reference: 'Reference', from: 'From', to: 'To', kinds: ['strong', 'weak', 'unowned', 'unmanaged'],
  counted: (strong, unowned) => `${strong} strong, ${unowned} unowned`, unknown: 'unknown',
  nodes: 'What it holds',
};
const german = {
  title: 'Speichergraph', blocks: 'Blöcke', stood: 'stand still für', took: 'der Blick dauerte',
  filter: 'Nach Typ oder Feld filtern', all: 'Alle', leaks: 'Lecks', cycles: 'Zyklen', fit: 'Einpassen',
  closer: 'Vergrößern', further: 'Verkleinern', more: 'weitere', none: 'Kein Fund passt dazu.',
  clean: 'Es wurde weder ein Leck noch ein Retain-Zyklus gefunden.',
  'retain cycle': 'Retain-Zyklus, verloren', 'root leak': 'Herrenlos',
  'reachable cycle': 'Retain-Zyklus, noch erreichbar', times: 'mal', hidden: 'weitere Blöcke sind nicht gezeichnet',
  objects: 'Blöcke', bytes: 'Bytes', found: 'Gefunden',
  sure: 'Gewissheit', explained: 'die gefundenen Referenzen erklären jeden Zähler',
  unreferred: 'kein Wort im Speicher des Programms verweist darauf',
  unexplained:
    'ein Zähler ist höher als die gefundenen Referenzen: von Hand gehalten, oder der Besitzer war nicht zu sehen',
  ring: 'Der Ring', back: 'zurück zum ersten', reached: 'Erreicht von', address: 'Adresse', size: 'Größe',
  language: 'Sprache', counts: 'Zähler', hierarchy: 'Vererbung', refers: 'Verweist auf', referred: 'Referenziert von',
  reference: 'Referenz', from: 'Von', to: 'Nach', kinds: ['strong', 'weak', 'unowned', 'unmanaged'],
  counted: (strong, unowned) => `${strong} strong, ${unowned} unowned`, unknown: 'unbekannt',
  nodes: 'Was er hält',
};

export const language = navigator.language.startsWith('de') ? 'de' : 'en';
export const words = language === 'de' ? german : english;
