// The rooms that there are, in the reader's language: {id, page, settings, icon, name, short, …}. Each room says so
// itself, in its room.js, of which bin/pack-web makes /rooms-list.js. Those that are switched off the hub names in its
// pages. Which of the others are shown, and where: room-choice.js.

import { list } from '/rooms-list.js';
import { language } from '/shell-words.js';

const off = (globalThis.document?.documentElement.dataset.off ?? '').split(' ');

export const rooms = list.filter(({ id }) => !off.includes(id)).map(({ en, de, ...room }) => ({
  ...room, page: `/${room.id}`, ...(language === 'de' ? de : en),
}));
