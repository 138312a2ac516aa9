// While pictures are chosen in the gallery: how many there are, what is done with them, and the way out. It stays at
// the foot of the screen, however long the gallery is.

import { computed, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { size } from '/sizes.js';
import { halves } from '/albums/album/gallery/halves.js';
import { count, words } from '/albums/host/words.js';
import { drawing, icons } from '/albums/icons.js';

/** The originals of pictures with these ids, as far as they are still there; of a live photo both halves. */
export function originalsOf(ids, pictures) {
  const { films } = halves([...pictures.values()]);
  return [...ids].flatMap((id) => [pictures.get(id), films.get(id)]).filter(Boolean);
}

/** `picked` is a signal of a Set of ids: the pictures that are chosen. */
export function chosenBar(album, hosting, picked) {
  const { doing, note, isBusy } = careful();
  const hidden = signal([]); // the ids of those that were hidden last
  const chosen = computed(() => [...picked() ?? []].filter((id) => album.pictures().has(id)));
  const originals = computed(() => originalsOf(chosen(), album.pictures()));
  const isAny = computed(() => chosen().length > 0);
  const told = () => {
    const bytes = originals().reduce((sum, one) => sum + (one.bytes ?? 0), 0);
    if (isAny()) return words.chosen(count(chosen().length), size(bytes));
    return hidden().length ? words.hiddenNow(count(hidden().length)) : words.chooseSome;
  };
  let isPart = false; // the last time not all could be asked for
  const hide = () => doing(async () => {
    const ids = new Set(chosen.peek());
    if (!isPart) hidden.set([]);
    isPart = true;
    await hosting.hideAll([...ids], (id) => hidden.set([...hidden.peek(), id]));
    isPart = false;
    // Meanwhile others may have been chosen, or nothing is to be chosen any more.
    if (picked.peek()) picked.set(new Set([...picked.peek()].filter((id) => !ids.has(id))));
  });
  const undo = () => doing(async () => {
    await hosting.showAgain(hidden.peek());
    hidden.set([]);
  });
  const key = (text, press, icon = '') => html`<button class="button plain" type="button" @click=${press}
    aria-busy=${() => isBusy() || null}>${icon && drawing(icon)}${text}</button>`;
  const keys = () => html`<a class="button primary" href=${() => album.address(`/zip?pictures=${
    originals().map(({ id }) => id).join()}`)} download>${drawing(icons.download)}${words.downloadThese}</a>${
    key(words.hide, hide, icons.hide)}`;
  return html`<section class="host-chosen" aria-label=${words.choose}><p role="status">${told}</p>${
    key(words.chosenDone, () => picked.set(null))}<div class="row">${() => (isAny() ? keys()
    : hidden().length ? key(words.undo, undo, icons.undo) : '')}</div>${note}</section>`;
}
