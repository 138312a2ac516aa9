// Pictures that wait on this device, which may be the only ones of their kind: their small images, and a button that
// saves them.

import { effect, ending, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { saveFile } from '/saving.js';
import { size } from '/sizes.js';
import { drawing, icons } from '/albums/icons.js';
import { words } from '/albums/album/words.js';

/** A picture's small image, as long as its place in the page. */
export function thumbOf(item) {
  const address = signal('');
  effect(() => {
    const bytes = item()?.preview;
    if (!bytes || address.peek()) return;
    address.set(URL.createObjectURL(new Blob([bytes], { type: 'image/jpeg' })));
  });
  ending(() => URL.revokeObjectURL(address.peek()));
  return html`<span class="thumb">${() => (address() ? html`<img src=${address()} alt="">`
    : drawing(item()?.type?.startsWith('video/') ? icons.film : icons.pictures))}</span>`;
}

/**
 * Saves a file to this device; `read()` is resolved with it. If that takes so long that the browser does not count it
 * to the tap any more, a phone would save nothing: another tap does, with the file at hand.
 */
export function saveButton(read) {
  const { doing, note, isBusy } = careful();
  const ready = signal(null);
  const press = () => doing(async () => {
    const file = ready.peek() ?? await read();
    const isLate = navigator.userActivation?.isActive === false;
    ready.set(isLate ? file : null);
    if (!isLate) await saveFile(file);
  });
  return html`<button class="button plain" type="button" aria-busy=${isBusy} @click=${press}>${() => (
    ready() ? words.queue.saveReady : words.queue.save)}</button>${note}`;
}

/** Rows of this device, of an album that takes them no more; `fileOf(row)` reads the file of one. */
export const unsentList = (rows, fileOf) => html`<ul class="list unsent">${rows.map((row) => html`<li>${
  thumbOf(() => row)}<div class="grow"><strong>${row.name}</strong><small>${size(row.size)}</small>
    <span class="row">${saveButton(() => fileOf(row))}</span></div></li>`)}</ul>`;
