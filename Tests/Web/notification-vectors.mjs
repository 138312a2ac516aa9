// Compares the expectations of the vectors in Tests/Fixtures/notifications with the answers of the rules; for Node and
// for browsers.

/** A value with its short forms written out: {"$times": [text or list, n]} and {"$join": [texts]}. */
function written(value) {
  if (Array.isArray(value)) return value.map(written);
  if (value === null || typeof value !== 'object') return value;
  if (value.$times) {
    const [what, count] = value.$times;
    return typeof what === 'string' ? what.repeat(count) : Array.from({ length: count }, () => what).flat();
  }
  if (value.$join) return value.$join.map(written).join('');
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, written(member)]));
}

/** The vectors whose answer is another: `{name, expected, answered}`. Order counts, as it is to be kept. */
export function wrong(rules, vectors) {
  return vectors.map(({ name, question, answer, refused }) => {
    const { ask, ...asked } = written(question);
    let answered;
    try {
      answered = rules.ask(ask, asked);
    } catch (error) {
      if (!error.faults) throw error;
      answered = refused ? error.faults.map(({ field }) => field) : { faults: error.faults };
    }
    const expected = refused ?? written(answer);
    return JSON.stringify(answered) === JSON.stringify(expected) ? null : { name, expected, answered };
  }).filter(Boolean);
}
