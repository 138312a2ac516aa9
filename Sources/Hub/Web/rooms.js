// The rooms of this hub, in the order of the navigation, in the reader's language: {id, page, settings, icon, name,
// short, …}. Each room says so itself, in its room.js, of which bin/pack-web makes /rooms-list.js.

import { list } from '/rooms-list.js';
import { language } from '/shell-words.js';

export const rooms = list.map(({ en, de, ...room }) => ({ ...room, ...(language === 'de' ? de : en) }));

/** The room whose page an address is; undefined for the hub's own pages. */
export const roomAt = (path) =>
  rooms.find(({ page }) => path === page || (page !== '/' && path.startsWith(`${page}/`)));
