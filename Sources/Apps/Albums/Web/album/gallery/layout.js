// Justified rows: pictures of one height beside each other, each in its own proportions, as wide as the page. Pure, and
// quick enough to be done anew whenever a picture comes: about 10 ms for ten thousand.

import { lastUpTo } from '/pictures/measures.js';

export const GAP = 4; // pixels between pictures
const TALLEST = 1.35; // a row that is not full is at most so much higher than wished
const NARROWEST = 0.45; // pictures that are taller or wider than this are cropped in the rows
export const WIDEST = 3.2;

/** The height that rows should have on a page of this width. */
const rowHeight = (width) => (width < 480 ? 128 : width < 900 ? 168 : 200);

/** Width over height as it is laid out. */
export const aspectOf = ({ width, height }) =>
  Math.min(WIDEST, Math.max(NARROWEST, width > 0 && height > 0 ? width / height : 1.5));

const sumOf = (aspects, from, to) => {
  let sum = 0;
  for (let one = from; one < to; one += 1) sum += aspects[one];
  return sum;
};

/** The row that ends before `end`: {from, end, sum, isFull}, with pictures from `first` on. */
function rowBefore(aspects, first, end, width, wished) {
  let sum = 0;
  let from = end;
  while (from > first) {
    const before = sum;
    from -= 1;
    sum += aspects[from];
    const height = (width - GAP * (end - from - 1)) / sum;
    if (height > wished) continue;
    const without = (width - GAP * (end - from - 2)) / before;
    // The picture that makes the row too low goes into it only if the row would be even more too high without.
    if (end - from > 1 && without / wished < wished / height) return { from: from + 1, end, sum: before, isFull: true };
    return { from, end, sum, isFull: true };
  }
  return { from, end, sum, isFull: false };
}

/** Two rows as one, or as two of like width, so that neither is much too high. */
function together(aspects, one, other) {
  const { from } = one;
  const { end } = other;
  const sum = one.sum + other.sum;
  if (one.sum < other.sum / 2) return [{ from, end, sum, isFull: true }];
  let middle = from + 1;
  const off = (place) => Math.abs(sumOf(aspects, from, place) - sum / 2);
  while (middle + 1 < end && off(middle + 1) < off(middle)) middle += 1;
  const half = sumOf(aspects, from, middle);
  return [{ from, end: middle, sum: half, isFull: true }, { from: middle, end, sum: sum - half, isFull: true }];
}

/** The rows of a group, made from its oldest picture on: a new one changes the uppermost rows only. */
function rowsOf(aspects, { first, count }, width, wished) {
  const rows = [];
  for (let end = first + count; end > first; end = rows.at(-1).from) {
    rows.push(rowBefore(aspects, first, end, width, wished));
  }
  rows.reverse();
  const [one, other] = rows;
  if (!one || one.isFull) return rows;
  if ((width - GAP * (one.end - one.from - 1)) / one.sum <= wished * TALLEST) one.isFull = true;
  else if (other) rows.splice(0, 2, ...together(aspects, one, other));
  return rows;
}

/**
 * Lays out pictures of these aspects below each other. `groups` are {first, count}, each beneath a heading of `head`
 * pixels. The answer has for each picture `x`, `y`, `w`, `h`, for each row `rowTop` and `rowFirst` (and one more, for
 * the end), for each group `heads` (its heading's y), and the `height` of all.
 */
export function layout(aspects, groups, width, { wished = rowHeight(width), head = 0, below = 0 } = {}) {
  const count = aspects.length;
  const [x, y, w, h] = [0, 1, 2, 3].map(() => new Float32Array(count));
  const rowTop = [];
  const rowFirst = [];
  const heads = [];
  let top = 0;
  for (const group of groups) {
    heads.push(top);
    top += head;
    for (const { from, end, sum, isFull } of rowsOf(aspects, group, width, wished)) {
      const exact = (width - GAP * (end - from - 1)) / sum;
      const height = Math.round(isFull ? exact : Math.min(exact, wished * (end - from > 1 ? 1 : TALLEST)));
      const isWide = isFull || exact <= height;
      rowTop.push(top);
      rowFirst.push(from);
      let left = 0;
      for (let one = from; one < end; one += 1) {
        const isLast = one === end - 1;
        // Whole pixels, so that gaps are all alike; what is left over is the last one's.
        const wide = isLast && isWide ? width - left : Math.round((isWide ? exact : height) * aspects[one]);
        x[one] = left;
        y[one] = top;
        w[one] = Math.min(wide, width - left);
        h[one] = height;
        left += wide + GAP;
      }
      top += height + GAP;
    }
    top += below;
  }
  rowTop.push(top);
  rowFirst.push(count);
  return { x, y, w, h, rowTop, rowFirst, heads, height: Math.max(0, top - GAP - below) };
}

/** The pictures that are seen between two heights, as [first, end). */
export function seenBetween({ rowTop, rowFirst, height }, from, to) {
  if (rowFirst.length < 2 || to < 0 || from > height) return [0, 0];
  const rows = rowFirst.length - 1;
  const one = Math.min(rows - 1, lastUpTo(rowTop, from));
  const last = Math.min(rows - 1, lastUpTo(rowTop, to));
  return [rowFirst[one], rowFirst[last + 1]];
}

/** The picture in the row above or below (`by` -1 or 1) that lies under the middle of this one; itself at an end. */
export function beside({ x, w, rowFirst }, index, by) {
  const row = lastUpTo(rowFirst, index) + by;
  if (row < 0 || row >= rowFirst.length - 1) return index;
  const middle = x[index] + w[index] / 2;
  let best = rowFirst[row];
  const distance = (one) => Math.abs(x[one] + w[one] / 2 - middle);
  for (let one = best; one < rowFirst[row + 1]; one += 1) if (distance(one) < distance(best)) best = one;
  return best;
}
