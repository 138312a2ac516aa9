// Handles presses on hearts, and shows on rows how favourites have changed since they were marked.

import { rules } from '/moments.js';
import { changeTexts } from '/programme/changes.js';
import { startFavourites, toggleFavourite } from '/programme/favourites.js';
import { favourites } from '/programme/favourites-list.js';
import { addNotes, onHearts } from '/programme/marks.js';

function note(text) {
  const line = document.createElement('span');
  line.className = 'event-change';
  line.textContent = text;
  return line;
}

addNotes((event) => {
  const record = favourites.peek().get(event.id);
  return record ? changeTexts(record, event).map(note) : [];
}, () => [favourites(), rules()]);

onHearts(toggleFavourite);
startFavourites();
