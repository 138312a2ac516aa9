// The order of a gallery's pictures: one is chosen, and then the one that it goes before; a mouse may drag it there.

import { computed, each, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { change } from '/session.js';
import { sheetHead } from '/sheet-head.js';
import { PORTFOLIOS } from '/portfolio/library.js';
import { said } from '/portfolio/uploading/words.js';
import { count, words } from '/portfolio/words.js';

/** The drawing of the button that opens it. */
export const ORDER = 'M7 20V5M4 8l3-3 3 3M17 4v15M14 16l3 3 3-3';

/** {dialog, open(portfolio, gallery)}: the gallery is {id, title}. */
export function orderingPanel(library) {
  const of = signal(null); // {portfolio, gallery}
  const chosen = signal(null); // the id of the picture that is to be moved
  const { inTurn, note } = careful();
  const pictures = computed(() => (library.turn(), of() && library.pictures(of().portfolio, of().gallery.id)) ?? []);
  const places = computed(() => new Map(pictures().map((picture, index) => [picture.id, { picture, index }])));
  const move = (id, before) => inTurn(async () => {
    if (id === before) return;
    const { portfolio, gallery } = of.peek();
    const at = `${PORTFOLIOS}/${encodeURIComponent(portfolio)}/galleries/${encodeURIComponent(gallery.id)}`;
    await change('PATCH', `${at}/pictures/${encodeURIComponent(id)}`, { before });
    await library.refresh();
    chosen.set(null);
  });
  const pressed = (id) => {
    if (chosen.peek() === id) chosen.set(null);
    else if (chosen.peek()) move(chosen.peek(), id);
    else chosen.set(id);
  };
  const cell = (id) => {
    const one = () => places().get(id)?.picture;
    const name = () => words.picture(one()?.title, count((places().get(id)?.index ?? 0) + 1),
      count(pictures().length));
    return html`<li><button class="order-cell" type="button" draggable="true" title=${() => one()?.title ?? ''}
      aria-pressed=${() => String(chosen() === id)} @click=${() => pressed(id)} @dragstart=${({ dataTransfer }) => {
    dataTransfer.setData('text/plain', id);
    chosen.set(id);
  }} @dragover=${(event) => event.preventDefault()} @drop=${(event) => {
    event.preventDefault();
    if (chosen.peek()) move(chosen.peek(), id);
  }} @dragend=${() => chosen.set(null)}><img src=${() => one()?.sizes?.['320']?.url ?? ''} alt=${name} loading="lazy"
      draggable="false"></button></li>`;
  };
  const dialog = html`<dialog class="ordering-panel" aria-labelledby="ordering-title">${sheetHead('ordering-title',
    () => of()?.gallery.title ?? '')}
    <div class="ordering-bar"><p role="status">${() => (chosen() ? said.orderWhere(words.picture(
    places().get(chosen())?.picture.title, count((places().get(chosen())?.index ?? 0) + 1), count(pictures().length)))
    : said.orderHint)}</p><button class="button" type="button" disabled=${() => !chosen()} @click=${() =>
  move(chosen.peek(), null)}>${said.toTheEnd}</button></div>${note}
    <ul class="order-cells">${each(() => pictures().map(({ id }) => id), (id) => id, cell)}</ul>
    </dialog>`.firstElementChild;
  const open = (portfolio, gallery) => {
    chosen.set(null);
    of.set({ portfolio, gallery });
    library.load(portfolio, gallery.id);
    dialog.showModal();
  };
  return { dialog, open };
}
