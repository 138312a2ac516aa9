// The rooms that there are, in the reader's language: {id, page, settings, icon, name, short, …}. Each room says so
// itself, in its room.js, of which bin/pack-web makes /rooms-list.js. Which are shown, and where: room-choice.js.

import { list } from '/rooms-list.js';
import { language } from '/shell-words.js';

export const rooms = list.map(({ en, de, ...room }) => ({
  ...room, page: `/${room.id}`, ...(language === 'de' ? de : en),
}));
