// A better place of the anchor, as the arc of her swing shows it: offered, and taken by one press.

import { computed, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { length, metres } from '/anchor/geometry.js';
import { save, settings, status } from '/anchor/model.js';
import { words } from '/anchor/words.js';

const SAME = 2; // metres within which an offer that was declined is the same one

const between = (one, other) => length(metres([one.lat, one.lon], [other.lat, other.lon]));

export function swingCard() {
  const { doing, note, isBusy } = careful();
  const declined = signal(null);
  const offer = computed(() => { // as text: the card stays as it is while answers bring the same offer
    const found = settings() && status()?.suggested;
    if (!found || (declined() && between(found.anchor, declined()) < SAME)) return '';
    return JSON.stringify({ ...found, away: between(found.anchor, settings().anchor) });
  });
  return html`${() => {
    if (!offer()) return '';
    const { anchor, hours, error_m: error, away } = JSON.parse(offer());
    const take = () => doing(() => save({ anchor, anchor_by: 'swing' }));
    return html`<section class="card" aria-labelledby="swing"><h2 id="swing">${words.swingTitle(Math.round(away))}</h2>
      <p class="small">${words.swingOffer(Math.max(1, Math.round(hours)), Math.round(error))}</p>
      <div class="row"><button class="button primary" type="button" aria-busy=${() => isBusy() || null}
      @click=${take}>${words.swingTake}</button><button class="button" type="button"
      @click=${() => declined.set(anchor)}>${words.swingLeave}</button></div>${note}</section>`;
  }}`;
}
