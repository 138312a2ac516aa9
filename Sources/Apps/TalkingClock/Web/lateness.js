// The picture of how punctual it was: pure functions.

export const PROMISE = 20; // milliseconds
const [LEFT, RIGHT, TOP, BOTTOM] = [40, 412, 16, 122];

/** A device's announcements of a day, summed up: {spoken, worst, later, others: {what: count}}. */
export function summary(announcements) {
  const spoken = announcements.filter(({ what }) => what === 'spoke');
  const late = spoken.map(({ late_ms: ms }) => ms).filter((ms) => typeof ms === 'number');
  const others = {};
  for (const { what } of announcements) if (what !== 'spoke') others[what] = (others[what] ?? 0) + 1;
  return {
    spoken: spoken.length, worst: late.length ? Math.max(...late) : 0, others,
    later: late.filter((ms) => ms >= PROMISE).length,
  };
}

/** The tag of a day that was summed up: 'good', 'warn', or '' for one on which nothing was to be heard. */
export function verdict({ spoken, later, others }) {
  if (spoken) return later ? 'warn' : 'good';
  return others.missed || others.no_audio ? 'warn' : '';
}

/** The picture: {top (its scale's end), dots (a path), lines: [[value, y]], times: [[text, x]]}. */
export function picture(announcements, timeOf) {
  const spoken = announcements.filter(({ what, late_ms: ms }) => what === 'spoke' && typeof ms === 'number')
    .map(({ at, late_ms: ms }) => ({ at: Date.parse(at), ms })).sort((one, other) => one.at - other.at);
  const worst = Math.max(0, ...spoken.map(({ ms }) => ms));
  const top = [40, 100, 200, 500, 1000, 2000].find((one) => worst <= one) ?? Math.ceil(worst / 1000) * 1000;
  const [first, last] = [spoken[0]?.at ?? 0, spoken.at(-1)?.at ?? 0];
  const x = (at) => (last === first ? (LEFT + RIGHT) / 2
    : LEFT + 8 + ((at - first) / (last - first)) * (RIGHT - LEFT - 18));
  const y = (ms) => BOTTOM - (Math.max(0, Math.min(top, ms)) / top) * (BOTTOM - TOP);
  const dots = spoken.map(({ at, ms }) =>
    `M${(x(at) - 3.5).toFixed(1)} ${y(ms).toFixed(1)}a3.5 3.5 0 1 1 7 0a3.5 3.5 0 1 1 -7 0z`).join('');
  const lines = [0, top / 2, top].map((one) => [one, y(one)]);
  const ends = first === last ? [first] : [first, (first + last) / 2, last];
  const times = spoken.length ? ends.map((at) => [timeOf(at / 1000), x(at)]) : [];
  return { top, dots, lines, promise: y(PROMISE), times };
}
