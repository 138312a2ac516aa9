// A drawing: one line, on 24 by 24.

import { html } from '/ui.js';

export const drawing = (path) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path
  d=${path} /></svg>`;
