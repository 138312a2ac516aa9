// The pictures of a link as one file, for a stick or a download.

import { html } from '/ui.js';
import { careful } from '/doing.js';
import { HubError } from '/keep.js';
import { saveFile } from '/saving.js';
import { size } from '/sizes.js';
import { said } from '/portfolio/sending/words.js';

const COMFORTABLE = 150_000_000; // bytes: more opens slowly on phones, and goes by no mail
const PASSPHRASE = 12;

/** The form; `sent` is what was sent, with `file_bytes`, `address` its address at the hub. */
export function oneFileForm(sent, address) {
  const { doing, note, isBusy } = careful();
  const sizes = Object.entries(sent.file_bytes ?? {}).sort(([one], [other]) => other - one);
  const isLarge = sizes[0]?.[1] > COMFORTABLE;
  const best = sizes.find(([, bytes]) => bytes <= COMFORTABLE)?.[0] ?? sizes.at(-1)?.[0];
  const make = (event) => {
    event.preventDefault();
    const { passphrase, size } = event.target.elements;
    const wish = { size: Number(size.value), ...(passphrase.value ? { passphrase: passphrase.value } : {}) };
    doing(async () => {
      const answer = await fetch(`${address}/file`, {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(wish),
      });
      if (!answer.ok) throw new HubError(answer.status, await answer.json().catch(() => undefined));
      const name = `${sent.title.replaceAll(/[\\/:*?"<>|]/g, ' ')}.html`;
      await saveFile(new File([await answer.blob()], name, { type: 'text/html' }));
    });
  };
  const choice = ([edge, bytes]) => html`<option value=${edge} .selected=${edge === best}>${
    said.oneFile.size(edge, size(bytes))}</option>`;
  return html`<details class="send-file"><summary>${said.oneFile.title}</summary><form @submit=${make}>
    <p class="quiet">${said.oneFile.text}</p>${isLarge ? html`<p class="note">${said.oneFile.large}</p>` : ''}
    <div class="fields"><div class="field"><label for="file-size">${said.oneFile.sizes}</label><select id="file-size"
    name="size">${sizes.map(choice)}</select></div><div class="field"><label for="file-words">${
    said.oneFile.passphrase}${sent.pin ? '' : html` <span class="optional">${said.optional}</span>`}</label><input
    id="file-words" name="passphrase" minlength=${PASSPHRASE} maxlength="100" autocomplete="off" autocapitalize="none"
    aria-required=${sent.pin ? 'true' : null} aria-describedby="file-words-hint"><p class="hint" id="file-words-hint">${
    said.oneFile.why}</p></div></div>${note}<p><button class="button" aria-busy=${isBusy}>${
    said.oneFile.make}</button></p></form></details>`;
}
