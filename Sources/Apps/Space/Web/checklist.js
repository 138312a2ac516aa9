// What a hub needs of its space before it is set up: a name, and something that it can show.

import { addStep } from '/checklist.js';
import { sign, space } from '/space/model.js';
import { words } from '/space/words.js';

addStep({
  id: 'name', order: 10, ...words.checklist.name, to: '/space/settings',
  isDone: () => (space() === undefined ? undefined : space() !== null),
});

addStep({
  id: 'source', order: 20, ...words.checklist.source, to: '/space/settings#add-calendar',
  isDone: () => space() !== null && sign()?.source === 'contact',
});
