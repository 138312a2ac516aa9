// Quiet hours on a day that begins at noon, so that a night is in one piece: pure functions, without a page.

/** A time of day as a place on a day that begins at noon, from 0 to 1. */
export function placeOf(time) {
  const [hour, minute] = time.split(':').map(Number);
  return ((hour * 60 + minute + 720) % 1440) / 1440;
}

/** The quiet parts of a day that begins at noon, as [from, to]. */
export function quietParts({ from, to }) {
  const [begin, end] = [placeOf(from), placeOf(to)];
  return begin <= end ? [[begin, end]] : [[0, end], [begin, 1]];
}
