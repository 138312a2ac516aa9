// One's own notifications for the search of all rooms: the newest few hundred.

import { language } from '/shell-words.js';
import { load, session } from '/session.js';
import { once } from '/search/once.js';
import { contains } from '/search/text.js';
import { inLanguage } from '/bells/shown.js';

const PAGES = 6;

export const dictionary = {
  en: { older: (count) => `Notifications older than the newest ${count} were not searched.` },
  de: { older: (count) => `Mitteilungen vor den neuesten ${count} sind nicht durchsucht.` },
};
const limits = dictionary[language];

const all = once(async () => {
  const items = [];
  for (let page = 0; page < PAGES; page += 1) {
    const more = await load(`/api/v1/bells${items.length ? `?before=${items.at(-1).id}` : ''}`);
    items.push(...more.items);
    if (!more.items.length) return { items, isCut: false };
  }
  return { items, isCut: true };
});

export async function find(words, left) {
  if (!session.peek()) return [];
  const { items, isCut } = await all();
  if (isCut) left(limits.older(items.length));
  return items.map(({ id, at, content }) => ({ id, at, content: inLanguage(content, language) }))
    .filter(({ content: { title, subtitle, body } }) => contains([title, subtitle, body], words))
    .map(({ id, at, content: { title, body } }) => ({ title: title ?? body, at, detail: title && body,
      path: `/bells/${id}` }));
}
