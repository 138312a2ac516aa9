// The set-up step of a contact at the door.

import { addStep } from '/checklist.js';
import { sign, space } from '/space/model.js';
import { words } from '/space/words.js';

addStep({
  id: 'source', room: 'space', hint: words.checklistSource, to: '/docs/door-contact',
  isDone: () => space() !== null && sign()?.source === 'contact',
});
