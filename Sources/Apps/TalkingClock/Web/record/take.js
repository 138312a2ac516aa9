// Judges a recording: the places of its words, its loudness, its faults. Pure functions over samples from -1 to 1.

/** Seconds of one look at the loudness. */
const STEP = 0.01;
/** Silence in which one word ends and the next begins, in seconds; what is shorter belongs to a word. */
const PAUSE = 0.05;
/** A sound that is shorter is a click. */
const CLICK = 0.04;
/** Decibels by which something is louder than the room, if anything was said at all. */
const HEARD = 12;
/** Kept before and after a word, so that nothing of it is cut off. */
const MARGIN = 0.02;
/** The loudness (RMS) of kept parts, in decibels below full scale: as loud as the built-in voices. */
export const LOUDNESS = -20;
const PEAK = 0.89; // -1 dB: what is made louder must not be clipped
/** The bounds of the verdicts: decibels below full scale, and above the noise of the room. */
const QUIET = -42;
const LOUD = -8;
const CLEAN = 18;
const CLIPPED = 0.985;
/** As many samples at full scale in a row are clipped, and not just a peak. */
const CLIPPED_RUN = 3;
export const SHORTEST = 0.08;
const LONGEST = 10;

export const decibels = (value) => 20 * Math.log10(Math.max(value, 1e-6));

/** The loudness (RMS) of samples from one to another. */
export function loudness(samples, from = 0, to = samples.length) {
  let sum = 0;
  for (let at = from; at < to; at += 1) sum += samples[at] ** 2;
  return Math.sqrt(sum / Math.max(1, to - from));
}

/** The loudness of each hundredth of a second, in decibels. */
function envelope(samples, rate) {
  const size = Math.round(rate * STEP);
  return Array.from({ length: Math.floor(samples.length / size) }, (_, index) =>
    decibels(loudness(samples, index * size, (index + 1) * size)));
}

/** The noise of the room: what the quietest tenth of the recording does not exceed, in decibels. */
function noiseOf(levels) {
  const sorted = [...levels].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 10)] ?? -120;
}

/** The words: [from, to] in seconds, where it is clearly louder than the room. */
export function sounds(samples, rate) {
  const levels = envelope(samples, rate);
  const top = Math.max(-120, ...levels);
  const floor = noiseOf(levels);
  if (top - floor < HEARD) return [];
  const limit = Math.max(floor + Math.min(10, (top - floor) / 2), top - 32);
  const found = [];
  levels.forEach((level, index) => {
    if (level <= limit) return;
    const last = found.at(-1);
    if (last && (index - last[1]) * STEP < PAUSE) last[1] = index + 1;
    else found.push([index, index + 1]);
  });
  return found.map(([from, to]) => [from * STEP, to * STEP]).filter(([from, to]) => to - from >= CLICK);
}

/**
 * The place of one of the words of a phrase: [from, to] in seconds. `words` are texts, `index` is the wanted one. With
 * as many sounds as words it is that one. Else the whole of what was said is divided by the lengths of the words, each
 * border moved to where it is quietest nearby. Null if nothing was said.
 */
export function partOf(samples, rate, words, index) {
  const found = sounds(samples, rate);
  if (!found.length) return null;
  const length = samples.length / rate;
  const around = ([from, to]) => [Math.max(0, from - MARGIN), Math.min(length, to + MARGIN)];
  if (found.length === words.length) return around(found[index]);
  const [start, end] = [found[0][0], found.at(-1)[1]];
  const weights = words.map((text) => text.replace(/[^\p{L}\d]/gu, '').length + 1);
  const whole = weights.reduce((sum, one) => sum + one, 0);
  const border = (count) => {
    if (count === 0) return start - MARGIN;
    if (count === words.length) return end + MARGIN;
    const share = weights.slice(0, count).reduce((sum, one) => sum + one, 0) / whole;
    return quietest(samples, rate, start + share * (end - start));
  };
  const [from, to] = [Math.max(0, border(index)), Math.min(length, border(index + 1))];
  const inside = found.filter(([begin, over]) => over > from + CLICK && begin < to - CLICK);
  if (!inside.length) return [from, to];
  // Without the silence around what is in there.
  return [Math.max(from, inside[0][0] - MARGIN), Math.min(to, inside.at(-1)[1] + MARGIN)];
}

/** The quietest moment within 0.15 s of another one. */
function quietest(samples, rate, near) {
  const levels = envelope(samples, rate);
  const [from, to] = [near - 0.15, near + 0.15]
    .map((at) => Math.max(0, Math.min(levels.length - 1, Math.round(at / STEP))));
  let best = from;
  for (let at = from; at <= to; at += 1) if (levels[at] < levels[best]) best = at;
  return (best + 0.5) * STEP;
}

/** True if the microphone was overdriven between two samples. */
export function isClipped(samples, from, to) {
  let run = 0;
  for (let at = from; at < to; at += 1) {
    run = Math.abs(samples[at]) >= CLIPPED ? run + 1 : 0;
    if (run >= CLIPPED_RUN) return true;
  }
  return false;
}

/**
 * The verdict on a part, [from, to] in seconds of its recording: {level (decibels), loud: 'good' | 'quiet' | 'loud',
 * clipped, noisy, length: 'good' | 'short' | 'long'}.
 */
export function verdict(samples, rate, [from, to]) {
  const [first, last] = [Math.round(from * rate), Math.round(to * rate)];
  const spoken = envelope(samples.subarray(first, last), rate).sort((one, other) => other - one);
  // The louder half of it: how long the breath before a word is says nothing.
  const half = spoken.slice(0, Math.max(1, Math.ceil(spoken.length / 2)));
  const level = half.reduce((sum, one) => sum + one, 0) / half.length || -120;
  return {
    level,
    loud: level < QUIET ? 'quiet' : level > LOUD ? 'loud' : 'good',
    clipped: isClipped(samples, first, last),
    noisy: level - noiseOf(envelope(samples, rate)) < CLEAN,
    length: to - from < SHORTEST ? 'short' : to - from > LONGEST ? 'long' : 'good',
  };
}

/** The part alone, as loud as all parts, its ends faded over 5 ms so that they do not click. */
export function cut(samples, rate, [from, to]) {
  const part = samples.slice(Math.round(from * rate), Math.round(to * rate));
  const peak = part.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  const gain = Math.min(10 ** (LOUDNESS / 20) / (loudness(part) || 1), PEAK / (peak || 1));
  const fade = Math.min(Math.round(rate * 0.005), Math.floor(part.length / 2));
  return part.map((one, at) => one * gain * Math.min(1, (at + 1) / fade, (part.length - at) / fade));
}

/** The heights of a drawn waveform: the greatest sample of each of `count` equal stretches. */
export function peaks(samples, count) {
  const size = samples.length / count;
  return Array.from({ length: count }, (_, index) => {
    let most = 0;
    const end = Math.min(samples.length, Math.floor((index + 1) * size));
    for (let at = Math.floor(index * size); at < end; at += 1) most = Math.max(most, Math.abs(samples[at]));
    return most;
  });
}
