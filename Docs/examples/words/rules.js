// The game's rules: pure functions, the same on all four screens, so that everybody counts alike.

export const PLAYERS = 4;
const SECONDS = 60;
export const LETTERS = 9;
/** The number of each player's words that count, the longest first. */
const COUNTED = 5;
export const SHORTEST = 3;

// The weights by which letters are drawn; the first are vowels, of which a round has at least three.
const BAGS = {
  en: { vowels: 'eeeeeeaaaaiiiooou', others: 'ttttnnnnsssssrrrrllllddddggpphhmmbbccffwyvk' },
  de: { vowels: 'eeeeeeeaaaiiiuuoäöü', others: 'nnnnnnnrrrrrssssstttttddddhhhlllggggmmbbffkkpwvz' },
};
const VOWELS = [3, 4];

const drawn = (bag, count, random) => {
  const left = [...bag];
  return Array.from({ length: count }, () => left.splice(Math.floor(random() * left.length), 1)[0]);
};

/** The letters of a round, mixed. */
export function draw(language, random = Math.random) {
  const { vowels, others } = BAGS[language];
  const soft = VOWELS[Math.floor(random() * VOWELS.length)];
  const letters = [...drawn(vowels, soft, random), ...drawn(others, LETTERS - soft, random)];
  return drawn(letters, LETTERS, random).join('');
}

/** True if a word can be laid with the letters, each used once. */
export function fits(word, letters) {
  const left = [...letters];
  const wanted = [...word.toLowerCase()];
  return wanted.length >= SHORTEST && wanted.every((letter) => {
    const at = left.indexOf(letter);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** Milliseconds since 1970, by the hub's clock, at which a round ends. */
export const endOf = (round) => round.at + SECONDS * 1000;

/** Of rounds that were begun at the same moment, the first counts; the others are nobody's. */
export function current(rounds) {
  const all = [...rounds].sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
  return all.reduce((running, next) => (running && next.at < endOf(running) ? running : next), null);
}

/** The words that count, in the order in which they were taken: who was first has it. */
export function taken(round, words) {
  const seen = new Set();
  return [...words].sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1)).filter(({ at, word }) => {
    const name = word.toLowerCase();
    if (at >= endOf(round) || !fits(word, round.letters) || seen.has(name)) return false;
    return seen.add(name);
  });
}

/** {points, best} by player: each of the longest words counts its letters. */
export function standings(round, words) {
  const all = new Map();
  for (const one of taken(round, words)) all.set(one.player, [...(all.get(one.player) ?? []), one.word]);
  return new Map([...all].map(([player, list]) => {
    const best = list.sort((one, other) => other.length - one.length).slice(0, COUNTED);
    return [player, { best, points: best.reduce((sum, word) => sum + word.length, 0) }];
  }));
}

/** The players with the most points; nobody if there are none. */
export function winners(round, words) {
  const all = [...standings(round, words)];
  const most = Math.max(0, ...all.map(([, { points }]) => points));
  return most ? all.filter(([, { points }]) => points === most).map(([player]) => player) : [];
}
