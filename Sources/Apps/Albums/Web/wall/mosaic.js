// The pictures behind: three rows that fill the screen. Pure.

import { aspectOf } from '/albums/album/gallery/layout.js';

const ROWS = 3;
const MOST = 60; // pictures on the screen, however wide it is

/** The rows for a screen of this width over height: lists of pictures, the newest first. Few pictures make few rows. */
export function mosaic(pictures, ratio) {
  const newest = pictures.slice(-MOST).reverse();
  const rows = [];
  const count = Math.max(1, Math.min(ROWS, Math.floor(newest.length / 2)));
  const wide = ratio * count;
  let from = 0;
  for (let row = 0; row < count; row += 1) {
    const left = newest.length - from;
    const share = Math.ceil(left / (count - row)); // what is there is spread over the rows that are left
    let sum = 0;
    let to = from;
    while (to < newest.length && to - from < share && sum < wide * 0.9) {
      sum += aspectOf(newest[to]);
      to += 1;
    }
    rows.push(newest.slice(from, to));
    from = to;
  }
  return rows.filter((row) => row.length > 0);
}

/**
 * The place that a picture takes among those on the wall: {row, column}. That of the one which has been there longest,
 * but of those rather one of like proportions, so that its row hardly moves. `since` are when they came, by row.
 */
export function placeFor(picture, rows, since) {
  const wanted = aspectOf(picture);
  const all = rows.flatMap((row, index) => row.map((one, column) => (
    { row: index, column, since: since[index][column], off: Math.abs(Math.log(aspectOf(one) / wanted)) })));
  all.sort((one, other) => one.since - other.since);
  const oldest = all.slice(0, Math.max(1, Math.ceil(all.length / 2)));
  const best = oldest.reduce((found, one) => (one.off < found.off - 0.01 ? one : found), oldest[0]);
  return best && { row: best.row, column: best.column };
}
