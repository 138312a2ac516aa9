// Measures of pictures, and of lists of them. Pure.

/** The whole {width, height} of a picture whose longer edge has at most `edge` pixels; 3 by 2 of one with none. */
export function fitted(edge, { width, height }) {
  const [wide, high] = width > 0 && height > 0 ? [width, height] : [3, 2];
  const scale = Math.min(1, edge / Math.max(wide, high));
  return { width: Math.max(1, Math.round(wide * scale)), height: Math.max(1, Math.round(high * scale)) };
}

/** The last index whose value in the rising list is not above `value`; 0 if there is none. */
export function lastUpTo(list, value) {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list[middle] <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
