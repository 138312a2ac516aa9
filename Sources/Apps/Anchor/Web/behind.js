// What comes behind the board: the watch of this page, the plot's handles, and the cards beside them.

import { html } from '/ui.js';
import { storyCard } from '/anchor/night.js';
import { pageCard } from '/anchor/page-card.js';
import { pastCard } from '/anchor/past.js';
import { phonesCard } from '/anchor/phones.js';
import { swingCard } from '/anchor/swing-card.js';
import { powerCard, sourcesCard, watchersCard } from '/anchor/watchers.js';

export { handlesFor } from '/anchor/handles.js';
export { gapNote } from '/anchor/page-card.js';
export { startWatching, switchHere, whereNow } from '/anchor/watching.js';

export const cards = () => html`${storyCard()}${swingCard()}${pageCard()}${watchersCard()}${powerCard()}${
  sourcesCard()}${phonesCard()}${pastCard()}`;
