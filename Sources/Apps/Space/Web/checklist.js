// The steps for setting up a space: a name, and a contact at the door.

import { addStep } from '/checklist.js';
import { sign, space } from '/space/model.js';
import { words } from '/space/words.js';

addStep({ id: 'name', room: 'space', isEver: true, to: '/space/settings' });

addStep({
  id: 'source', room: 'space', hint: words.checklistSource, to: '/space/settings',
  isDone: () => space() !== null && sign()?.source === 'contact',
});
