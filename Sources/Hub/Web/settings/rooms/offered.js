// All rooms, with the words by which an owner chooses them: bin/pack-web makes /rooms-offers.js of their room.js.

import { offers } from '/rooms-offers.js';
import { rooms } from '/rooms.js';
import { language } from '/shell-words.js';

const words = Object.fromEntries(offers.map(({ id, en, de, isAside }) => [id,
  { ...(language === 'de' ? de : en), isAside }]));

export const offered = rooms.map((room) => ({ ...room, ...words[room.id] }));
