// One's own galleries and pictures for the search of all rooms: by title, text and caption.

import { load, session } from '/session.js';
import { contains, once } from '/search/text.js';
import { hashOf } from '/portfolio/view/plate.js';

const LOOKED = 40; // galleries whose pictures are looked at
const PORTFOLIOS = '/api/v1/portfolios';
const all = once(async () => {
  const { portfolios } = await load(PORTFOLIOS);
  const found = [];
  for (const { id } of portfolios) {
    const { galleries = [] } = await load(`${PORTFOLIOS}/${id}`);
    for (const [at, gallery] of galleries.entries()) {
      const path = (...rest) => `/portfolio${hashOf(id, gallery.id, ...rest)}`;
      found.push({ title: gallery.title, texts: [gallery.title, gallery.text], path: '/portfolio' });
      if (at >= LOOKED) continue;
      for (const one of (await load(`${PORTFOLIOS}/${id}/galleries/${gallery.id}`)).pictures) {
        found.push({ title: one.title || gallery.title, detail: gallery.title, at: one.taken,
          texts: [one.title, one.caption, one.place?.name], path: path(one.id) });
      }
    }
  }
  return found;
});

export async function find(words) {
  if (!session.peek()) return [];
  return (await all()).filter(({ texts }) => contains(texts, words));
}
