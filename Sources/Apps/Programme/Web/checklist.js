// A calendar is something that a hub can show.

import { addStep } from '/checklist.js';
import { place } from '/place.js';
import { programme } from '/programme/model.js';

addStep({
  id: 'source', order: 20,
  isDone() {
    if (place() === null) return false;
    return programme() === undefined ? undefined : programme().sources?.length > 0;
  },
});
