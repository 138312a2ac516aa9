// The dialogues of an album: one's name, and the other albums of this device.

import { html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { sheetHead } from '/sheet-head.js';
import { seen } from '/albums/album/gallery/choosing.js';
import { NAME_LENGTH } from '/albums/album/join.js';
import { keptAlbums } from '/albums/album/kept.js';
import { forgetWaiting, waitingByAlbum } from '/albums/album/sender.js';
import { words } from '/albums/album/words.js';

/** {dialog, open}: one's name beside one's pictures, and the way out. `queue` is a signal. */
export function meDialog(album, queue) {
  const { doing, note, isBusy } = careful();
  const isLeaving = signal(false);
  const close = () => dialog.close();
  const save = (event) => {
    event.preventDefault();
    doing(async () => {
      await album.rename(event.target.elements.name.value.trim() || null);
      close();
    });
  };
  const unsent = () => {
    const { left, failed } = queue()?.progress() ?? { left: 0, failed: 0 };
    return left + failed;
  };
  const mine = () => seen(album.mine()).length;
  const leave = () => doing(async () => {
    const { id } = album;
    await album.leave(dialog.querySelector('[name=back]')?.checked);
    close();
    if (queue.peek()) await forgetWaiting(id); // what it had is said above
  });
  const dialog = html`<dialog class="me-dialog" aria-labelledby="me-title">${sheetHead('me-title', words.me.title)}
    <form @submit=${save}><div class="field"><label for="me-name">${words.me.label}</label><input id="me-name"
        name="name" maxlength=${NAME_LENGTH} autocomplete="name" enterkeyhint="done" aria-describedby="me-hint">
        <p class="hint" id="me-hint">${words.me.hint}</p></div>${note}
      <button class="button primary wide" aria-busy=${isBusy}>${words.me.save}</button></form>
    ${() => (isLeaving() ? html`<div class="leaving"><p role="alert">${words.me.leaveText}</p>${() => (unsent()
      ? html`<p class="note">${words.me.leaveUnsent(unsent())}</p>` : '')}<label class="check" hidden=${() => !mine()}>
      <input type="checkbox" name="back"><span>${() => words.me.leaveBack(mine())}</span></label>
      <button class="button danger wide" type="button" aria-busy=${isBusy}
        @click=${leave}>${words.me.leaveYes}</button></div>`
    : html`<button class="button plain" type="button" @click=${() => isLeaving.set(true)}>${words.me.leave}</button>`)}
    </dialog>`.firstElementChild;
  const open = () => {
    isLeaving.set(false);
    dialog.querySelector('input').value = album.details.peek()?.me?.name ?? '';
    dialog.showModal();
  };
  return { dialog, open };
}

/** {dialog, open}: the albums of this device. */
export function albumsDialog(album) {
  const waiting = signal(new Map());
  const close = () => dialog.close();
  const row = (one) => html`<li><div class="grow">${one.secret === album.secret
    ? html`<strong>${one.name}</strong><small>${words.albums.here}</small>`
    : html`<a class="tall" href=${`#${encodeURIComponent(one.secret)}`} @click=${close}><strong>${one.name}</strong></a>
      ${() => (waiting().get(one.id) ? html`<small>${words.albums.waiting(waiting().get(one.id))}</small>` : '')}`}
    </div></li>`;
  const dialog = html`<dialog aria-labelledby="albums-title">${sheetHead('albums-title', words.albums.title)}
    <ul class="list">${() => keptAlbums().map(row)}</ul></dialog>`.firstElementChild;
  const open = () => {
    waitingByAlbum().then(waiting.set);
    dialog.showModal();
  };
  return { dialog, open };
}
