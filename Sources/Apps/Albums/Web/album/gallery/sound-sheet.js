// The sound of one's own picture: some seconds recorded now, or a piece of music by its title and link. Nothing is
// asked for before somebody presses the button.

import { html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { sheetHead } from '/sheet-head.js';
import { isOpen } from '/uploads/queue.js';
import { canRecord } from '/albums/album/recording.js';
import { words } from '/albums/album/gallery/words.js';

const TITLE = 200; // characters (the hub's limits)
const ADDRESS = 500;

const said = words.viewer;

/** {dialog, open}: `picture` and `queue` are signals of the picture that is shown, and of what sends. */
export function soundSheet(album, picture, queue) {
  const { doing, note, isBusy } = careful();
  const recorder = signal(null); // {id, soundButton, says} while the dialogue is open; ending it ends a recording
  const close = () => dialog.close();
  const keep = (music) => doing(async () => {
    const { id } = picture.peek();
    await album.ask('PATCH', `/pictures/${id}`, { music });
    if (!picture.peek().sound?.url) album.change(id, { sound: music ?? undefined });
    close();
  });
  const save = (event) => {
    event.preventDefault();
    const { title, address } = event.target.elements;
    keep({ title: title.value.trim(), address: address.value.trim() || null });
  };
  const recording = () => {
    const { id, soundButton, says } = recorder() ?? {};
    const isHere = () => queue().items().some((one) => one.soundOf === id && isOpen(one));
    return id ? soundButton((file) => queue.peek().addSoundOf(id, file), isHere, says.waits) : '';
  };
  const music = () => picture()?.sound?.title;
  const dialog = html`<dialog class="viewer-sound" aria-labelledby="viewer-sound-title"
    @close=${() => recorder.set(null)}>
    ${sheetHead('viewer-sound-title', said.soundTitle)}
    <p class="quiet">${() => (picture()?.sound?.url ? said.hasSound : said.soundText)}</p>${recording}
    <form @submit=${save}><div class="field"><label for="music-title">${said.musicTitle}</label><input id="music-title"
        name="title" aria-required="true" maxlength=${TITLE} autocomplete="off" aria-describedby="music-hint">
        <p class="hint" id="music-hint">${said.musicHint}</p></div>
      <div class="field"><label for="music-address">${said.musicAddress}</label><input id="music-address"
        name="address" type="url" inputmode="url" maxlength=${ADDRESS} autocomplete="off"
        aria-describedby="music-address-hint">
        <p class="hint" id="music-address-hint">${said.musicAddressHint}</p></div>${note}
      <p class="row"><button class="button primary" aria-busy=${isBusy}>${said.musicSave}</button>
        <button class="button plain" type="button" hidden=${() => !music()} @click=${() => keep(null)}>${
  said.musicRemove}</button></p></form></dialog>`.firstElementChild;
  const open = async () => {
    const { id, sound } = picture.peek();
    const { title, address } = sound ?? {};
    dialog.querySelector('#music-title').value = title ?? '';
    dialog.querySelector('#music-address').value = address ?? '';
    dialog.showModal();
    if (!queue.peek() || !canRecord()) return;
    const { soundButton, says } = await import('/albums/album/sound.js');
    if (dialog.open) recorder.set({ id, soundButton, says });
  };
  return { dialog, open };
}
