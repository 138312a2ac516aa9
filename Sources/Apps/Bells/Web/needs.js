// What a browser needs to be rung, said for its platform.

import { html } from '/ui.js';
import { settingsOf } from '/bells/push-plan.js';
import { pushWords as words } from '/bells/push-words.js';

const steps = (all) => html`<ol class="hint-steps">${all.map((one) => html`<li>${one}</li>`)}</ol>`;

/** What stands in the way of being rung here, and the way out. */
export function needs(what) {
  const known = words.needs[what];
  if (what !== 'blocked') return html`<p>${known.text}</p>${known.steps ? steps(known.steps) : ''}`;
  const where = settingsOf(navigator.userAgent, navigator.maxTouchPoints);
  return html`<p>${known.text}</p><p>${known.where[where]}</p>`;
}
