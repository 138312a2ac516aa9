// This device: how it is rung, what it needs for that, and a try.

import { html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { devices, thisDevice } from '/bells/model.js';
import { browserFault, needs } from '/bells/needs.js';
import { isSubscribed, lookAtPush, obstacle, subscribe, unsubscribe } from '/bells/push.js';
import { tryDevice, tryView } from '/bells/try.js';
import { words } from '/bells/words.js';

const refused = signal(false);

/** True if the hub rings this browser; false if either of the two does not know of it. */
const isRung = () => isSubscribed() === true && (thisDevice()?.channels.includes('webpush') ?? false);

export function hereCard() {
  lookAtPush();
  const trial = signal(null);
  const { doing, note, isBusy } = careful(browserFault);
  const trying = careful(); // it may be followed for half a minute
  const on = () => doing(async () => {
    refused.set(false);
    // The hub was told of the subscription, and rings it no more: its push service has said that it has ended.
    const answer = await subscribe({}, isSubscribed.peek());
    refused.set(answer === null);
    if (answer) await devices.refresh();
  });
  const off = () => doing(async () => {
    await unsubscribe();
    trial.set(null);
    await devices.refresh();
  });
  const state = () => {
    if (obstacle() === undefined || isSubscribed() === undefined) return '';
    if (obstacle()) return needs(obstacle());
    if (isRung()) {
      return html`<p>${words.here.on}</p><p class="row">
        <button class="button" type="button" aria-busy=${() => trying.isBusy() || null} @click=${() =>
          trying.doing(() => tryDevice(trial))}>${words.tryIt}</button>
        <button class="button plain" type="button" @click=${off}>${words.here.stop}</button></p>`;
    }
    return html`<p>${words.here.off}</p>
      ${() => (refused() ? html`<p class="note" role="alert">${words.here.refused}</p>` : '')}
      <p class="row"><button class="button primary" type="button" aria-busy=${() => isBusy() || null} @click=${on}>${
        words.here.start}</button></p>`;
  };
  return html`<section class="card" aria-labelledby="here-title"><h2 id="here-title">${words.here.title}</h2>
    ${state}${note}${trying.note}${tryView(trial)}</section>`;
}
