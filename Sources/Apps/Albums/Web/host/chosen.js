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

const PART = 450; // ids in one address, of which many proxies take 8 KB

/**
 * The addresses of zips with these pictures, which have more than one part where an address would be too long. The film
 * of a live photo is in that of its photo, which it follows.
 */
export function zipsOf(album, pictures) {
  const zips = [];
  for (let from = 0, end; from < pictures.length; from = end) {
    end = from + PART;
    if (pictures[end] && pictures[end].pair === pictures[end - 1].id) end -= 1;
    zips.push(album.address(`/zip?pictures=${pictures.slice(from, end).map(({ id }) => id).join()}`));
  }
  return zips;
}

/** Signals: `picked` of a Set of ids, the pictures that are chosen; `shown` of those that the gallery shows. */
export function chosenBar(album, hosting, picked, shown) {
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
    for (const id of hidden.peek()) ids.add(id); // also those of the first try
    if (picked.peek()) picked.set(new Set([...picked.peek()].filter((id) => !ids.has(id))));
  });
  const undo = () => doing(async () => {
    await hosting.showAgain(hidden.peek());
    hidden.set([]);
  });
  const key = (text, press, icon = '') => html`<button class="button plain" type="button" @click=${press}
    aria-busy=${isBusy}>${icon && drawing(icon)}${text}</button>`;
  const zips = computed(() => zipsOf(album, originals()).join(' ')); // one text, which stays while the same are chosen
  const link = () => {
    const all = zips().split(' ');
    const part = signal(0); // the one that is downloaded next
    const next = () => setTimeout(() => part.set((part.peek() + 1) % all.length)); // then the browser has the address
    return html`<a class="button primary" href=${() => all[part()]} download @click=${next}>${
      drawing(icons.download)}${words.downloadThese}${() => (all[1] ? words.part(part() + 1, all.length) : '')}</a>`;
  };
  const keys = () => html`${link}${key(words.hide, hide, icons.hide)}`;
  const isMore = computed(() => shown().some(({ id }) => !picked()?.has(id)));
  const all = () => picked.set(new Set([...picked.peek(), ...shown.peek().map(({ id }) => id)]));
  return html`<section class="host-chosen" aria-label=${words.choose}><p role="status">${told}</p>${
    key(words.chosenDone, () => picked.set(null))}<div class="row">${() => (isMore()
    ? key(words.chooseAll(count(shown().length)), all) : '')}${() => (isAny() ? keys()
    : hidden().length ? key(words.undo, undo, icons.undo) : '')}</div>${note}</section>`;
}
