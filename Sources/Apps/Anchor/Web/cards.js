// The cards beside the board.

import { html } from '/ui.js';
import { pageCard } from '/anchor/page-card.js';
import { pastCard } from '/anchor/past.js';
import { phonesCard } from '/anchor/phones.js';
import { swingCard } from '/anchor/swing-card.js';
import { powerCard, sourcesCard, watchersCard } from '/anchor/watchers.js';

export const all = () => html`${swingCard()}${pageCard()}${watchersCard()}${powerCard()}${sourcesCard()}${
  phonesCard()}${pastCard()}`;
