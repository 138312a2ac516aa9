// The wall's choice when nothing new comes: by chance, the more hearts a picture has and the newer it is, the sooner.
// Never the same twice in a row. Pure; chance is passed in.

const HEARTS = 12; // more hearts than that make no difference: others want to be seen, too
const HALF = 40; // so many pictures back, newness counts half
const OLD = 0.25; // and this much it counts at least
const RESTING = 12; // pictures that were shown last and wait, if there are enough others

/** The wish for a picture: `back` is how many are newer. */
export const wish = ({ hearts = 0 }, back) => (1 + Math.min(hearts, HEARTS) / 2) * (OLD + 2 ** (-back / HALF));

/**
 * The next picture of `pictures` (in the order of their arrival); `shown` are the ids of those that were shown, the
 * latest last. Null if there is none but the one that was shown last.
 */
export function next(pictures, shown, random = Math.random) {
  const resting = new Set(shown.slice(-Math.max(1, Math.min(RESTING, Math.floor(pictures.length / 2)))));
  const wishes = pictures.map((one, index) => (resting.has(one.id) ? 0 : wish(one, pictures.length - 1 - index)));
  const all = wishes.reduce((sum, one) => sum + one, 0);
  if (all === 0) return null;
  let left = random() * all;
  let last = null;
  for (let index = 0; index < pictures.length; index += 1) {
    if (wishes[index] === 0) continue;
    last = pictures[index];
    left -= wishes[index];
    if (left < 0) break;
  }
  return last;
}
