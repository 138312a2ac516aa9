// One's own galleries and pictures for the search of all rooms: by title, text, caption and file name.

import { load, session } from '/session.js';
import { once } from '/search/once.js';
import { contains } from '/search/text.js';
import { language, locale } from '/shell-words.js';
import { hashOf } from '/portfolio/view/plate.js';

const LOOKED = 40; // galleries whose pictures are looked at
const PORTFOLIOS = '/api/v1/portfolios';

export const dictionary = {
  en: {
    more: `Pictures in galleries behind the first ${LOOKED} of a portfolio were not searched.`,
    longer: (pictures) => `Of large galleries, only the first ${pictures} pictures were searched.`,
  },
  de: {
    more: `Bilder in Galerien nach den ersten ${LOOKED} eines Portfolios sind nicht durchsucht.`,
    longer: (pictures) => `In großen Galerien sind nur die ersten ${pictures} Bilder durchsucht.`,
  },
};
const limits = dictionary[language];

const all = once(async () => {
  const { portfolios } = await load(PORTFOLIOS);
  const found = [];
  const unread = new Set();
  for (const { id } of portfolios) {
    const { galleries = [] } = await load(`${PORTFOLIOS}/${id}`);
    // Favourites are pictures of the others.
    for (const [at, gallery] of galleries.filter(({ favourites }) => !favourites).entries()) {
      const path = (...rest) => `/portfolio${hashOf(id, gallery.id, ...rest)}`;
      found.push({ title: gallery.title, texts: [gallery.title, gallery.text], path: path('') });
      if (at >= LOOKED) {
        unread.add(limits.more);
        continue;
      }
      const { pictures, next } = await load(`${PORTFOLIOS}/${id}/galleries/${gallery.id}`);
      if (next) unread.add(limits.longer(pictures.length.toLocaleString(locale)));
      for (const one of pictures) {
        found.push({ title: one.title || gallery.title, detail: gallery.title, at: one.taken,
          texts: [one.title, one.file, one.caption, one.place?.name], path: path(one.id) });
      }
    }
  }
  return { found, unread };
});

export async function find(words, left) {
  if (!session.peek()) return [];
  const { found, unread } = await all();
  unread.forEach((said) => left(said));
  return found.filter(({ texts }) => contains(texts, words));
}
