// The places of everything on the wall. Pure: widths and places are passed in, in CSS pixels.

import { fitted, lastUpTo } from '/pictures/measures.js';

const NARROWEST = 0.25; // proportions beyond these (a panorama of many frames) are shown as if they were these
const WIDEST = 5;
const UNKNOWN = 1.5;

/** The wall's measures on a page of this width: of a strip's pictures, between them, between strips. */
export function measuresFor(width) {
  if (width < 768) return { high: 152, gap: 6, head: 52, between: 32 };
  return { high: width < 1200 ? 208 : 188, gap: 8, head: 52, between: 32 };
}

/** From the top of one strip to that of the next. */
export const pitchOf = ({ high, head, between }) => head + high + between;

/** The name of the group that begins with a gallery; '' within it, and for galleries that stand alone. */
export function groupAt(galleries, index) {
  const group = galleries[index].group ?? '';
  return group === (galleries[index - 1]?.group ?? '') ? '' : group;
}

/** Width over height of a picture. */
export const aspectOf = ({ width, height }) =>
  (width > 0 && height > 0 ? Math.min(WIDEST, Math.max(NARROWEST, width / height)) : UNKNOWN);

/** Pictures beside each other at one height: {x, w, width}, in whole pixels. */
export function stripOf(aspects, high, gap) {
  const count = aspects.length;
  const [x, w] = [new Float64Array(count), new Float64Array(count)];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    x[index] = at;
    w[index] = Math.max(1, Math.round(aspects[index] * high));
    at += w[index] + gap;
  }
  return { x, w, width: Math.max(0, at - gap) };
}

/** The pictures that are seen between two places of a strip: [first, end]. */
export function columnsBetween({ x, w }, from, to) {
  if (x.length === 0 || to <= from) return [0, 0];
  const first = lastUpTo(x, from);
  const last = lastUpTo(x, to);
  return [x[first] + w[first] < from ? Math.min(first + 1, last) : first, last + 1];
}

/** The strips that are seen between two places of a list of `count`, each `pitch` high: [first, end]. */
export function rowsBetween(count, pitch, from, to) {
  if (to <= 0 || from >= count * pitch) return [0, 0];
  return [Math.max(0, Math.floor(from / pitch)), Math.min(count, Math.ceil(to / pitch))];
}

/** The place to which a strip of `width` is scrolled so that a picture is seen whole; `now` if it is. */
export function scrolledTo({ x, w }, index, now, width, margin = 0) {
  const [from, to] = [x[index] - margin, x[index] + w[index] + margin];
  if (from < now) return Math.max(0, from);
  return to > now + width ? to - width : now;
}

/** The pictures of a gallery with its cover first, which else stay in their owner's order. */
export function inOrder(pictures, cover) {
  const place = cover === undefined ? -1 : pictures.findIndex(({ id }) => id === cover);
  return place < 1 ? pictures : [pictures[place], ...pictures.slice(0, place), ...pictures.slice(place + 1)];
}

/** The small size of a picture, or the smallest that there is; '' for none yet. */
export const smallOf = ({ sizes = {} }) => (sizes['320'] ?? sizes['2048'])?.url ?? '';

/** The large size, or the best that there is. */
export const largeOf = ({ sizes = {} }) => (sizes['2048'] ?? sizes['320'])?.url ?? '';

/** A picture as PhotoSwipe wants it, in its own proportions; `cell` is its small picture's element. */
export function itemOf(picture, cell) {
  const { id, kind, title, sizes = {} } = picture;
  const common = { ...fitted(2048, picture), id, alt: title ?? '', thumbCropped: false, element: cell };
  const src = largeOf(picture);
  if (kind === 'video' && sizes.video) return { ...common, type: 'video', video: sizes.video.url, poster: src };
  return src ? { ...common, src, msrc: smallOf(picture) } : { ...common, type: 'html', html: '' };
}
