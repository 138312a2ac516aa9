// Explains to the reader what this browser needs to be rung.

import { html } from '/ui.js';
import { BrowserFault } from '/bells/push.js';
import { settingsOf } from '/bells/push-plan.js';
import { pushWords as words } from '/bells/push-words.js';

const steps = (all) => html`<ol class="hint-steps">${all.map((one) => html`<li>${one}</li>`)}</ol>`;

/** What went wrong in the browser, in words; null for everything else. */
export const browserFault = (error) => (error instanceof BrowserFault ? words[error.why] : null);

/** The explanation of an obstacle (see push-plan.js), and the steps that remove it. */
export function needs(what) {
  const known = words.needs[what];
  if (what !== 'blocked') return html`<p>${known.text}</p>${known.steps ? steps(known.steps) : ''}`;
  const where = settingsOf(navigator.userAgent, navigator.maxTouchPoints);
  return html`<p>${known.text}</p><p>${known.where[where]}</p>`;
}
