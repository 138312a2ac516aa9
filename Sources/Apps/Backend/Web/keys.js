// The keys of an app: what can be read again, and what is shown once.

import { computed, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { said } from '/moments.js';
import { now, zone } from '/place.js';
import { ask } from '/people/ask.js';
import { copyButton } from '/people/link-panel.js';
import { onDay } from '/people/told.js';
import { drawing, icons } from '/apps/icons.js';
import { app, rotate } from '/apps/model.js';
import { words } from '/apps/words.js';

const moment = (instant) => said(Date.parse(instant), now(), zone());

const once = (label, value) => html`<div><dt>${label}</dt><dd><output class="code">${value}</output>${
  copyButton(value, words.copy, label)}</dd></div>`;

/** What was just made, until the reader has it. It gets the focus: as a status, all keys would be read aloud. */
export function shownOnce(made, title, close) {
  const shown = html`<section class="card once" role="group" aria-label=${title(made.name)} tabindex="-1">
    <p><strong>${title(made.name)}</strong></p>
    <dl>${once(words.key, made.key)}${once(words.secret, made.secret)}${once(words.masterKey, made.master_key)}</dl>
    <p class="row"><button class="button" type="button" @click=${close}>${words.kept}</button></p></section>`;
  const box = shown.firstElementChild;
  requestAnimationFrame(() => box.focus());
  return shown;
}

// Computed, so that what somebody selects to copy it stays when nothing has changed.
const line = (label, name) => html`<div><dt>${label}</dt><dd><code>${computed(() => app()[name])}</code></dd></div>`;

export function keysCard() {
  const { doing, note, isBusy } = careful();
  const made = signal(null);
  const anew = async () => {
    const sure = await ask({
      title: words.rotateTitle(app.peek().name), text: words.rotateText, yes: words.rotate, no: words.cancel,
      tick: words.endNow, ticked: false,
    });
    if (sure) doing(async () => made.set(await rotate(sure.ticked)));
  };
  return html`<section class="keys card" aria-labelledby="keys-title"><h2 id="keys-title">${words.keys}</h2>
    ${() => (made() ? shownOnce(made(), words.rotated, () => made.set(null)) : '')}
    <dl>${line(words.appID, 'app_id')}${line(words.key, 'key')}${line(words.applicationID, 'application_id')}${
  line(words.restKey, 'rest_key')}
      <div><dt>${words.secret}</dt><dd><code>••••••••••••</code><small>${() =>
  words.shownOnce(onDay(app().secret_shown_at))}</small></dd></div></dl>
    ${() => (app().old_secret_until ? html`<p class="small quiet">${words.oldUntil(moment(app().old_secret_until))}</p>`
    : '')}${note}
    <p class="row"><button class="button" type="button" aria-busy=${() => isBusy() || null} @click=${anew}>${
  drawing(icons.key)}${words.newSecret}</button></p></section>`;
}
