// Albums for the search of all rooms: by their names, and by whoever has sent pictures to them.

import { load, session } from '/session.js';
import { ALBUMS } from '/albums/album/client.js';
import { pageOf } from '/albums/pages.js';
import { count, words as told } from '/albums/words.js';
import { contains, once } from '/search/text.js';

const LOOKED = 12; // albums whose pictures are looked at, the newest
const PICTURES = 500; // of each
const all = once(async () => {
  const { albums } = await load(ALBUMS);
  return await Promise.all(albums.map(async (album, at) => {
    const pictures = at < LOOKED ? (await load(`${ALBUMS}/${album.id}/pictures?limit=${PICTURES}`)).pictures : [];
    const by = new Map();
    for (const { by: guest } of pictures) if (guest?.name) by.set(guest.name, (by.get(guest.name) ?? 0) + 1);
    return { album, by };
  }));
});

export async function find(words) {
  if (!session.peek()) return [];
  const albums = await all();
  const named = albums.filter(({ album }) => contains([album.name], words)).map(({ album }) => ({
    title: album.name, at: album.made_at, detail: told.pictures(count(album.pictures ?? 0)), path: pageOf(album),
  }));
  const sent = albums.filter(({ album }) => !contains([album.name], words)).flatMap(({ album, by }) => [...by]
    .filter(([name]) => contains([name, album.name], words)).map(([name, pictures]) => ({
      title: `${name}: ${album.name}`, detail: told.pictures(count(pictures)), path: pageOf(album),
    })));
  return [...named, ...sent];
}
