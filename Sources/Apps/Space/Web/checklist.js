// What a hub needs of its space before it is set up: a name, and something that it can show.

import { addStep } from '/checklist.js';
import { programme, sign, space } from '/space/model.js';
import { words } from '/space/words.js';

addStep({
  id: 'space-name', order: 10, ...words.checklist.name, to: '/space/settings',
  isDone: () => (space() === undefined ? undefined : space() !== null),
});

addStep({
  id: 'space-source', order: 20, ...words.checklist.source, to: '/space/settings#add-calendar',
  isDone: () => {
    if (space() === null) return false;
    if (programme() === undefined) return undefined;
    return programme().sources?.length > 0 || sign()?.source === 'contact';
  },
});
