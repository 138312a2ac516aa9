// The drill: rings every device that would be rung, and shows which answered.

import { html } from '/ui.js';
import { drilling } from '/drill.js';
import { words } from '/anchor/arm/words.js';
import { whenOf } from '/anchor/model.js';

/** {card, silentOnes}: the card, and the names of those that did not answer the last drill. */
export function drill() {
  const { last, silentOnes, view } = drilling(() => 'anchor');
  const card = html`<section class="card" aria-labelledby="drill"><header class="card-head"><h2 id="drill">${
    words.drill}</h2><span class="quiet small">${() => (last()?.at ? whenOf(Date.parse(last().at) / 1000) : '')}</span>
    </header>${view}</section>`;
  return { card, silentOnes };
}
