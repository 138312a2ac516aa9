// All rooms in the reader's language: {id, page, settings, icon, name, short, …}. Each has its own in its room.js, from
// which bin/pack-web makes /rooms-list.js. The hub's pages list those that are switched off. For those that are shown,
// and where, see room-choice.js.

import { list } from '/rooms-list.js';
import { language } from '/shell-words.js';

const off = (globalThis.document?.documentElement.dataset.off ?? '').split(' ');

export const rooms = list.filter(({ id }) => !off.includes(id)).map(({ en, de, ...room }) => ({
  ...room, page: `/${room.id}`, ...(language === 'de' ? de : en),
}));
