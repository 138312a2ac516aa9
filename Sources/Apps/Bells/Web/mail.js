// Mail about what was not seen on any device; nothing where the hub sends no mail.

import { html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { mailbox, setMailbox } from '/bells/model.js';
import { words } from '/bells/words.js';

const USUAL_MINUTES = 10;
const MOST_MINUTES = 1440;

/** The address that was typed last: perhaps one that waits for its confirmation. */
const newest = (box) => box?.wanted ?? box?.address;
const isAsked = (box) => !box.confirmed || Boolean(box.wanted);

export function mailCard() {
  const { doing, note, isBusy } = careful();
  const isChanged = signal(false);
  const save = (event) => {
    event.preventDefault();
    const { address, minutes } = event.target.elements;
    const wish = { address: address.value.trim(), after_minutes: Number(minutes.value) };
    doing(async () => {
      try {
        await setMailbox(wish);
      } finally { // the address is kept even if the mail that asks could not be sent
        isChanged.set(newest(mailbox.value.peek()) !== wish.address);
      }
    });
  };
  const stop = () => doing(async () => {
    await setMailbox(null);
    isChanged.set(false);
  });
  const form = (box) => html`<form @submit=${save}>
    <label class="field"><span class="label">${words.mail.address}</span><input name="address" type="email"
      aria-required="true" autocomplete="email" maxlength="254" value=${newest(box) ?? ''}></label>
    <label class="field"><span class="label">${words.mail.minutes}</span><input name="minutes" type="number" required
      min="0" max=${MOST_MINUTES} inputmode="numeric" value=${box.after_minutes ?? USUAL_MINUTES}></label>
    <p class="row"><button class="button primary" aria-busy=${() => isBusy() || null}>${words.mail.save}</button>
      ${box.address ? html`<button class="button plain" type="button" @click=${() => isChanged.set(false)}>${
    words.cancel}</button>` : ''}</p></form>`;
  const state = (box) => html`${box.confirmed ? html`<p>${words.mail.on(box)}</p>` : ''}
    ${isAsked(box) ? html`<p>${words.mail.asked({ address: newest(box) })}</p>` : ''}
    <p class="row">${!isAsked(box) ? '' : html`<button class="button" type="button" aria-busy=${() => isBusy() || null}
      @click=${() => doing(() => setMailbox({ address: newest(box), after_minutes: box.after_minutes }))}>${
    words.mail.again}</button>`}
      <button class="button" type="button" @click=${() => isChanged.set(true)}>${words.mail.change}</button>
      <button class="button plain" type="button" @click=${stop}>${words.mail.stop}</button></p>`;
  return html`${() => {
    const box = mailbox.value();
    if (!box || (!box.possible && !box.address)) return '';
    return html`<section class="card" aria-labelledby="mail-title"><h2 id="mail-title">${words.mail.title}</h2>
      ${box.address ? '' : html`<p class="small quiet">${words.mail.off}</p>`}
      ${() => (box.address && !isChanged() ? state(box) : form(box))}${note}</section>`;
  }}`;
}
