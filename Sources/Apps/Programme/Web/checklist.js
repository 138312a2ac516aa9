// The set-up step of adding a calendar.

import { addStep } from '/checklist.js';
import { place } from '/place.js';
import { programme } from '/programme/model.js';
import { words } from '/programme/words.js';

addStep({
  id: 'source', room: 'programme', hint: words.checklistSource, to: '/settings/programme#add-calendar',
  isDone() {
    if (place() === null) return false;
    return programme() === undefined ? undefined : programme().sources?.length > 0;
  },
});
