// The next event in one short line: pure functions, without a page.

export const LONGEST = 22; // characters that fit the navigation

/** A text of at most so many characters, cut between two words unless that would shorten it much. */
export function shortened(text, most = LONGEST) {
  const letters = [...text];
  if (letters.length <= most) return text;
  const cut = letters.slice(0, most - 1).join('');
  const words = cut.slice(0, cut.lastIndexOf(' ')).trimEnd();
  return `${(words.length >= most * 0.7 ? words : cut).replace(/[\s:,·–-]+$/, '')}…`;
}

/** The time at which an event ends, if that is on this day or in the night after it; null otherwise. */
export const untilOf = (it, today) => (it.last <= today ? it.to : null);

/** With a capital, for the beginning of a line. */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

const RUNS = 0;
const TODAY = 1;
const ALL_DAY = 2;
const LATER = 3;

function rank(it, { now, today, isRunning, isOver }) {
  if (it.event.status === 'cancelled' || isOver(it, now, today)) return null;
  if (isRunning(it, now, today)) return RUNS;
  if (it.first > today) return LATER;
  return it.event.all_day ? ALL_DAY : TODAY;
}

/**
 * The event that is on, or else the next one today, an all-day one, or one on another day: {it, isNow}; undefined if
 * there is none. `events` are placed on their days (/programme/days.js), and the functions of that module are passed
 * in.
 */
export function nextOf(events, at) {
  let best;
  for (const it of events) {
    const now = rank(it, at);
    if (now === null || best?.rank < now || (best?.rank === now && best.it.startsAt <= it.startsAt)) continue;
    best = { it, rank: now };
  }
  return best && { it: best.it, isNow: best.rank === RUNS };
}
