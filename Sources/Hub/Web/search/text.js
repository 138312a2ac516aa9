// Texts that are searched, and the words that are looked for in them. Pure.

const ASCII = /^[\0-\x7f]*$/;
const UMLAUTS = /[äöüÄÖÜ]/g;
// Letters without a Unicode decomposition, in their usual transliteration.
const WHOLE = { ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ð: 'd', þ: 'th' };

/** A text for comparison: without case and diacritics. */
export function fold(text) {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFD').replace(/\p{M}+/gu, '').toLowerCase()
    .replace(/[ßøæœłđðþ]/g, (letter) => WHOLE[letter]);
}

/** A text for searching: "Löten" is found by "löten", "loten" and "loeten". */
export function searchable(text) {
  const plain = fold(text);
  if (ASCII.test(text)) return plain;
  const whole = text.normalize('NFC');
  const written = whole.replace(UMLAUTS, (letter) => `${letter}e`);
  return written === whole ? plain : `${plain}\n${fold(written)}`;
}

/** The words of a search, all of which a text must contain. */
export const wordsOf = (question) => fold(question).split(/\s+/).filter(Boolean);

/** True if one of a list of texts (or nothing) contains each of these words. */
export const contains = (texts, words) => {
  const text = searchable(texts.filter(Boolean).join('\n'));
  return words.every((word) => text.includes(word));
};
