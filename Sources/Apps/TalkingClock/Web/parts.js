// The parts of announcements: their names by the codes of the rules, and how they are written.

/** The words of Part.Word (Sources/Portable/SpeakingClock/Part.swift), in its order. */
const WORDS = [
  'bigben', 'AM', 'PM', 'oclock', 'hundred', 'ein', 'uhr', 'viertel', 'dreiviertel', 'halb', 'nach', 'vor', 'bell',
  'bells', 'open', 'closed', 'dragging', 'unheard',
];

/** The name of a part by its code: "12", "05", "AM". */
export function nameOf(code) {
  if (code < 100) return String(code);
  return code < 200 ? `0${code - 100}` : WORDS[code - 200];
}

const ENGLISH = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven',
  'twelve', 'thirteen', 'fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen'];
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty'];
const GERMAN = ['null', 'eins', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun', 'zehn', 'elf',
  'zwölf', 'dreizehn', 'vierzehn', 'fünfzehn', 'sechzehn', 'siebzehn', 'achtzehn', 'neunzehn'];
const ZEHNER = ['', '', 'zwanzig', 'dreißig', 'vierzig', 'fünfzig'];

function number(value, language) {
  const [small, tens] = language === 'de' ? [GERMAN, ZEHNER] : [ENGLISH, TENS];
  const [ten, one] = [Math.floor(value / 10), value % 10];
  if (value < 20) return small[value];
  if (one === 0) return tens[ten];
  return language === 'de' ? `${one === 1 ? 'ein' : small[one]}und${tens[ten]}` : `${tens[ten]}-${small[one]}`;
}

const SPELT = { oclock: 'o’clock', uhr: 'Uhr' };

/** News, which no announcement of the time has. */
const NEWS = {
  en: { open: 'The space is open', closed: 'The space is closed', dragging: 'The anchor drags',
    unheard: 'Nothing is heard of the boat' },
  de: { open: 'Der Space ist offen', closed: 'Der Space ist zu', dragging: 'Der Anker slippt',
    unheard: 'Vom Boot kommt nichts mehr' },
};

/** A part as it is written: "forty-five", "oh five", "Uhr", "The anchor drags"; empty for a stroke. */
export function written(name, language) {
  if (['bigben', 'bell', 'bells'].includes(name)) return '';
  if (/^0\d$/.test(name)) return `oh ${number(Number(name), 'en')}`;
  if (/^\d+$/.test(name)) return number(Number(name), language);
  return NEWS[language]?.[name] ?? SPELT[name] ?? name;
}

const GLASEN = ['', 'ein Glas', 'zwei Glasen', 'drei Glasen', 'vier Glasen', 'fünf Glasen', 'sechs Glasen',
  'sieben Glasen', 'acht Glasen'];

/** Ship's bells in words. */
export function bellsInWords(count, language) {
  if (language === 'de') return GLASEN[count];
  return `${number(count, 'en')} ${count === 1 ? 'bell' : 'bells'}`;
}

/** An announcement in words: "nine forty-five PM", "Viertel vor zehn", "three bells". */
export function inWords(parts, language) {
  const strokes = parts.filter((name) => name === 'bell').length + 2 * parts.filter((name) => name === 'bells').length;
  if (strokes) return bellsInWords(strokes, language);
  return parts.map((name, index) => {
    // One writes "Viertel nach drei", and "viertel vier".
    if (name === 'viertel' && ['nach', 'vor'].includes(parts[index + 1])) return 'Viertel';
    return written(name, language);
  }).filter(Boolean).join(' ');
}
