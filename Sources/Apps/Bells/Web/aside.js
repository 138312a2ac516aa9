// The column beside the list: this device, quiet hours, topics.

import { html } from '/ui.js';
import { drillsCard } from '/bells/drills.js';
import { hereCard } from '/bells/here.js';
import { privateCard } from '/bells/private.js';
import { mailCard } from '/bells/mail.js';
import { quietCard } from '/bells/quiet.js';
import { topicsCard } from '/bells/topics.js';
import { words } from '/bells/words.js';

export const aside = () => html`<aside class="bells-aside" aria-label=${words.whatRings}>
  ${hereCard()}${quietCard()}${mailCard()}${topicsCard()}${drillsCard()}${privateCard()}</aside>`;
