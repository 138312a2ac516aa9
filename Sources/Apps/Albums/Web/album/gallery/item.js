// A picture for the gallery and the viewer. Pure.

import { WIDEST } from '/albums/album/gallery/layout.js';
import { fitted } from '/pictures/measures.js';

const ENOUGH = 2; // a picture may be shown so many times larger than it is before the next size is fetched

/** The address of the smallest size of a picture that is good enough for `wide` pixels of the screen; null for none. */
export function sizeFor({ sizes = {}, width, height }, wide) {
  // Sizes are of the longer edge, and a panorama is wider than what is seen of it.
  const longer = Math.max(1, height / width || 1, width / height / WIDEST || 1);
  const enough = (edge) => Number(edge) * ENOUGH >= wide * longer;
  const edges = Object.keys(sizes).filter(Number).sort((one, other) => one - other);
  const edge = edges.find(enough) ?? edges.at(-1);
  return edge ? sizes[edge] : sizes.preview ?? null;
}

const LARGE = 1600; // pixels of the longer edge of the largest size that guests get

/** A picture as PhotoSwipe wants it. */
export function itemOf(picture, cell) {
  const { sizes = {} } = picture;
  const src = sizes[LARGE] ?? sizes[320] ?? sizes.preview;
  const common = { ...fitted(LARGE, picture), id: picture.id, alt: '', thumbCropped: true, element: cell };
  if (picture.kind === 'video' && picture.video) return { ...common, type: 'video', video: picture.video, poster: src };
  if (!src) return { ...common, type: 'html', html: '' };
  return { ...common, src, msrc: cell?.querySelector('img[src]')?.src ?? sizes[320] ?? sizes.preview };
}
