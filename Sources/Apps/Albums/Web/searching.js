// Albums for the search of all rooms: by their names, and by whoever has sent pictures to them.

import { load, session } from '/session.js';
import { ALBUMS } from '/albums/album/client.js';
import { pageOf } from '/albums/opening.js';
import { count, words as told } from '/albums/words.js';
import { once } from '/search/once.js';
import { contains } from '/search/text.js';
import { language } from '/shell-words.js';

const LOOKED = 12; // albums whose pictures are looked at, the newest
const PICTURES = 500; // of each

export const dictionary = {
  en: {
    older: `Who sent pictures to albums older than the ${LOOKED} newest was not searched.`,
    longer: `Of large albums, only the first ${PICTURES} pictures were searched for who sent them.`,
  },
  de: {
    older: `In Alben, die älter sind als die ${LOOKED} neuesten, ist nicht durchsucht, wer Bilder geschickt hat.`,
    longer: `In großen Alben ist nur bei den ersten ${PICTURES} Bildern durchsucht, wer sie geschickt hat.`,
  },
};
const limits = dictionary[language];

const none = { pictures: [] };

/** None of an album that its member has only asked to join, or that was deleted meanwhile. */
const ask = (path, unknown) => load(`${ALBUMS}/${path}`).catch((error) => {
  if (![403, 404, 410].includes(error.status)) throw error;
  return unknown;
});

/** {by, isCut}: the numbers of pictures by names. Of a large album no numbers, and to hosts alone all names. */
async function sendersOf({ id, role }) {
  const { pictures, next } = await ask(`${id}/pictures?limit=${PICTURES}`, none);
  const by = new Map();
  for (const { by: guest } of pictures) if (guest?.name) by.set(guest.name, (by.get(guest.name) ?? 0) + 1);
  if (!next) return { by, isCut: false };
  const { people } = role === 'host' ? await ask(`${id}/people`, { people: [] }) : { people: [] };
  const names = [...by.keys(), ...people.filter((one) => one.name && one.pictures).map(({ name }) => name)];
  return { by: new Map(names.map((name) => [name, null])), isCut: role !== 'host' };
}

const all = once(async () => {
  const { albums } = await load(ALBUMS);
  return await Promise.all(albums.map(async (album, at) => {
    const { by, isCut } = at < LOOKED ? await sendersOf(album) : { by: new Map(), isCut: false };
    return { album, by, isCut };
  }));
});

export async function find(words, left) {
  if (!session.peek()) return [];
  const albums = await all();
  if (albums.length > LOOKED) left(limits.older);
  if (albums.some(({ isCut }) => isCut)) left(limits.longer);
  const named = albums.filter(({ album }) => contains([album.name], words)).map(({ album }) => ({
    title: album.name, at: album.made_at, detail: told.pictures(count(album.pictures ?? 0)), path: pageOf(album),
  }));
  const sent = albums.filter(({ album }) => !contains([album.name], words)).flatMap(({ album, by }) => [...by]
    .filter(([name]) => contains([name, album.name], words)).map(([name, pictures]) => ({
      title: `${name}: ${album.name}`, detail: pictures === null ? '' : told.pictures(count(pictures)),
      path: pageOf(album),
    })));
  return [...named, ...sent];
}
