// The order of a gallery's pictures: one is chosen, and then the one that it goes before; a mouse may drag it there.

import { computed, each, html, signal, styled } from '/ui.js';
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
  styled('/portfolio/uploading/ordering.css');
  const of = signal(null); // {portfolio, gallery}
  const chosen = signal(null); // the id of the picture that is to be moved
  const reached = signal(null); // the id of the one that the keys have reached
  const told = signal(''); // where the last one has gone
  const { inTurn, note } = careful();
  const inOf = (ask) => (of() ? library[ask](of().portfolio, of().gallery.id) : undefined) ?? [];
  const ids = computed(() => (library.turn(), inOf('places')));
  const places = computed(() => new Map(ids().map((id, index) => [id, index])));
  const pictures = computed(() => new Map((ids(), inOf('pictures')).map((one) => [one.id, one])));
  // Either may be removed elsewhere meanwhile.
  const moving = computed(() => (places().has(chosen()) ? chosen() : null));
  const current = computed(() => (places().has(reached()) ? reached() : ids()[0]));
  const titleOf = (id) => pictures().get(id)?.title ?? '';
  const nameOf = (id) => words.picture(titleOf(id), count((places().get(id) ?? 0) + 1), count(ids().length));
  const focus = (index) => list.children[index]?.firstElementChild.focus();
  const move = (id, before) => inTurn(async () => {
    if (id === before) return;
    const { portfolio, gallery } = of.peek();
    const at = `${PORTFOLIOS}/${encodeURIComponent(portfolio)}/galleries/${encodeURIComponent(gallery.id)}`;
    // When one goes to the end, the keys reach the next one: they stay where they are.
    const next = before ? id : ids.peek()[places.peek().get(id) + 1] ?? id;
    try {
      await change('PATCH', `${at}/pictures/${encodeURIComponent(id)}`, { before });
    } finally {
      await library.refresh().catch(() => {});
      chosen.set(null);
    }
    told.set(said.moved(nameOf(id)));
    setTimeout(() => focus(places.peek().get(next)));
  });
  const pressed = (id) => {
    told.set('');
    if (moving.peek() === id) chosen.set(null);
    else if (moving.peek()) move(moving.peek(), id);
    else chosen.set(id);
  };
  const keyed = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const [now, columns] = [places.peek().get(current.peek()), getComputedStyle(list).gridTemplateColumns.split(' ')];
    const to = {
      ArrowLeft: now - 1, ArrowRight: now + 1, ArrowUp: now - columns.length, ArrowDown: now + columns.length,
      Home: 0, End: ids.peek().length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    focus(to);
  };
  const dragged = (event) => {
    if (!moving.peek()) return;
    event.preventDefault();
    const { left, width } = event.currentTarget.getBoundingClientRect();
    event.currentTarget.dataset.gap = event.clientX < left + width / 2 ? 'before' : 'behind';
  };
  const dropped = ({ currentTarget: { dataset } }, id) => {
    const isBehind = dataset.gap === 'behind';
    delete dataset.gap;
    if (moving.peek()) move(moving.peek(), isBehind ? ids.peek()[places.peek().get(id) + 1] ?? null : id);
  };
  const cell = (id) => html`<li><button class="order-cell" type="button" draggable="true" title=${() => titleOf(id)}
      tabindex=${() => (current() === id ? 0 : -1)} aria-pressed=${() => String(moving() === id)}
      @click=${() => pressed(id)} @focus=${() => reached.set(id)} @dragstart=${({ dataTransfer }) => {
  dataTransfer.setData('text/plain', id);
  chosen.set(id);
}} @dragover=${dragged} @dragleave=${({ currentTarget }) => delete currentTarget.dataset.gap} @drop=${(event) => {
  event.preventDefault();
  dropped(event, id);
}} @dragend=${() => chosen.set(null)}><img src=${() => pictures().get(id)?.sizes?.['320']?.url ?? ''}
      alt=${() => nameOf(id)} loading="lazy" draggable="false"></button></li>`;
  const status = () => (moving() ? said.orderWhere(nameOf(moving())) : told() || said.orderHint);
  const dialog = html`<dialog class="ordering-panel" aria-labelledby="ordering-title"><div class="ordering-head">${
    sheetHead('ordering-title', () => of()?.gallery.title ?? '')}<div class="ordering-bar"><p role="status">${
    status}</p><button class="button" type="button" disabled=${() => !moving()} @click=${() =>
  move(moving.peek(), null)}>${said.toTheEnd}</button></div>${note}</div>
    <ul class="order-cells" @keydown=${keyed}>${each(ids, (id) => id, cell)}</ul></dialog>`.firstElementChild;
  const list = dialog.querySelector('.order-cells');
  const open = (portfolio, gallery) => {
    for (const one of [chosen, reached]) one.set(null);
    told.set('');
    of.set({ portfolio, gallery });
    library.load(portfolio, gallery.id, !library.places(portfolio, gallery.id));
    dialog.showModal();
  };
  return { dialog, open };
}
