// The head of a sheet, as dialogues of several parts have it.

import { html } from '/ui.js';
import { drawing } from '/drawing.js';
import { words } from '/shell-words.js';

const closeSheet = ({ currentTarget }) => currentTarget.closest('dialog').close();

/** Its title, which has an `id` that names the dialogue, and the button that closes it. */
export const sheetHead = (id, title, close = closeSheet) => html`<div class="sheet-head"><h2 id=${id}>${title}</h2>
  <button class="round-button" type="button" aria-label=${words.close} @click=${close}>${
  drawing('M6 6l12 12M18 6L6 18')}</button></div>`;
