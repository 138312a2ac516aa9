// <album-gallery>: everybody's pictures, newest first, and each on the whole screen. Its property `album` is the album;
// `picked`, if it is given, a signal of a Set of ids: while it has one, pictures are chosen instead of opened; `queue`
// one of what sends from this device; `by` the id of whom it begins with; `open` is called with that of whose name is
// pressed; `shown` a signal that gets the pictures as they are shown.

import { computed, effect, element, ending, html, listening, signal, styled } from '/ui.js';
import { hubAhead } from '/keep.js';
import { size } from '/sizes.js';
import { chosen, people } from '/albums/album/gallery/choosing.js';
import { Grid } from '/albums/album/gallery/grid.js';
import { groupsByTaking, groupsOf, momentOf, spansOf } from '/albums/album/gallery/groups.js';
import { halves } from '/albums/album/gallery/halves.js';
import { aspectOf } from '/albums/album/gallery/layout.js';
import { openViewer } from '/albums/album/gallery/viewer.js';
import { clockOf, count, dayOf, labelOf, monthOf, timeOf, words } from '/albums/album/gallery/words.js';

const FRESH = 60_000; // milliseconds for which a picture that has just come says so
const FEW = 12; // pictures that one looks through without choosing by whom and when
const LOOK = 10_000; // between looks whether one still does

const STATES = {
  waiting: () => words.waits, making: ({ ahead }) => (ahead ? words.ahead(ahead) : words.making),
  hidden: () => words.hidden, failed: () => words.failed,
};

/** When pictures came while the page was open, by their ids. */
function freshness(album) {
  const came = new Map();
  let known = null;
  const note = () => {
    const ids = [...album.pictures().keys()];
    if (!album.isWhole()) return; // what the first answers bring was there before
    if (known) for (const id of ids) if (!known.has(id)) came.set(id, Date.now());
    known = new Set(ids);
  };
  return { note, isFresh: (id) => Date.now() - (came.get(id) ?? -Infinity) < FRESH };
}

const midnight = () => new Date(Date.now() + hubAhead()).setHours(0, 0, 0, 0);

const titleOf = ({ kind, from, until }) => (kind === 'day' ? dayOf(from) : words.hours(timeOf(from), timeOf(until)));

/** The name of a group, or of a month, where it stands without a heading. */
function nameOf(span) {
  if (span.kind === 'month') return monthOf(span.from);
  return span.kind === 'day' ? titleOf(span) : `${dayOf(span.from)}, ${titleOf(span)}`;
}

function headOf(group) {
  const { kind, from, count: number } = group;
  if (kind === 'untimed') return html`${words.untimed} <small>${words.pictures(count(number))}</small>`;
  const title = titleOf(group);
  const rest = [kind === 'day' ? '' : dayOf(from), words.pictures(count(number))].filter(Boolean).join(', ');
  return html`${title} <small>${rest}</small>`;
}

/** A film's mark, with its length where it is known. */
const filmOf = ({ seconds }) => (seconds ? `▶ ${clockOf(seconds)}` : '▶');

/** The sign in the place of a picture where there is nothing to see. */
const fileOf = ({ kind, sizes = {}, name, bytes, state }) => (
  Object.keys(sizes).length || !(kind === 'raw' || kind === 'other' || state === 'failed') ? ''
    : [name ?? words.kinds[kind], bytes ? size(bytes) : ''].filter(Boolean).join(', '));

function stampFor(fresh, films) {
  return (one) => {
    const isOnItsWay = one.state === 'making';
    const state = one.state in STATES && (!isOnItsWay || one.mine) ? STATES[one.state](one) : '';
    if (fresh.isFresh(one.id) && (!state || isOnItsWay)) return { text: words.justNow, kind: 'new' };
    const mark = one.kind === 'video' ? filmOf(one) : films.peek().get(one.id)?.video ? words.live : '';
    return { text: state || mark, kind: state && 'state' };
  };
}

/** All, mine, hearts; by whom, and when; and for those who are told when pictures were taken, in which order. */
function choice({ which, by, at, all, mine, spans, order, mayOrder }) {
  const button = (id, text) => html`<button type="button" aria-pressed=${() => String(which() === id)}
    @click=${() => which.set(id)}>${text}</button>`;
  const option = ({ id, name, count: number }) => html`<option value=${id} selected=${id === by.peek()}>${
    words.counted(name ?? words.someone, count(number))}</option>`;
  const from = computed(() => people(all()));
  const isSmall = computed(() => all().length <= FEW);
  const span = (one) => html`<option value=${one.from} selected=${String(one.from) === at.peek()}>${
    nameOf(one)}</option>`;
  const reorder = ({ target }) => {
    order.set(target.value);
    at.set(''); // the other order has other times
  };
  return html`<div class="gallery-choice"><div class="views" role="group" aria-label=${words.which}>${
    button('all', words.all)}${button('mine', () => words.counted(words.mine, mine() && count(mine())))}${
    button('hearts', words.hearts)}</div>
    <label class="gallery-by" hidden=${() => !by() && (isSmall() || from().length < 2)}><span>${words.by}</span>
      <select .value=${by} @change=${({ target }) => by.set(target.value)}><option value="">${words.everybody}
        </option>${() => from().map(option)}</select></label>
    <label class="gallery-by" hidden=${() => isSmall() || spans().length < 2}><span>${words.at}</span>
      <select .value=${at} @change=${({ target }) => at.set(target.value)}><option value="">${words.anytime}
        </option>${() => spans().map(span)}</select></label>
    <label class="gallery-by" hidden=${() => !mayOrder() || which() === 'hearts'}><span>${words.order}</span>
      <select name="order" .value=${order} @change=${reorder}>${
  Object.entries(words.orders).map(([id, text]) => html`<option value=${id}>${text}</option>`)}</select></label>
    </div>`;
}

function nothing({ which, by, at, isClosed }) {
  if (at()) return html`<p class="empty">${words.noneAt}</p>`;
  if (by()) return html`<p class="empty">${words.noneBy}</p>`;
  if (which() === 'mine') return html`<p class="empty">${words.noneMine}</p>`;
  if (which() === 'hearts') return html`<p class="empty">${words.noneHearts}</p>`;
  if (isClosed()) return html`<p class="empty">${words.noneCame}</p>`;
  return html`<div class="empty gallery-empty"><strong>${words.none}</strong><p>${words.noneText}</p></div>`;
}

function focusHeading() {
  const heading = document.querySelector('main h1');
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

element('album-gallery', (host) => {
  const { album, picked = signal(null), queue = signal(null), shown = signal([]), open } = host;
  const [which, by, at, order] = [signal('all'), signal(host.by ?? ''), signal(''), signal('arrival')];
  const mayOrder = computed(() => {
    const { me, options } = album.details() ?? {};
    return me?.role === 'host' || Boolean(options?.shows_taken);
  });
  const isByTaking = computed(() => mayOrder() && order() === 'taken');
  const all = computed(() => [...album.pictures().values()]);
  const mine = computed(() => chosen(all(), 'mine').length);
  const films = computed(() => halves(all()).films);
  const today = signal(midnight()); // what is called so is called another day tomorrow
  const groupsHere = (some) => {
    today();
    return isByTaking() ? groupsByTaking(some) : groupsOf(some.map(momentOf));
  };
  const spans = computed(() => spansOf(groupsHere(
    chosen(all(), which() === 'mine' ? 'mine' : 'all', by(), null, isByTaking()))));
  const pictures = computed(() => chosen(all(), which(), by(), spans().find(({ from }) => String(from) === at()),
    isByTaking()));
  const unseen = signal(0);
  const fresh = freshness(album);
  const isStyled = signal(false);
  // Its style is there already, unless the page shows it later.
  styled('/albums/album/gallery/gallery.css').then(() => isStyled.set(true));
  const box = html`<div class="gallery-box"></div>`.firstElementChild;
  const grid = new Grid(box, {
    label: labelOf, headOf, fileOf, stampOf: stampFor(fresh, films),
    isPicked: ({ id }) => Boolean(picked.peek()?.has(id)),
    open: (index) => (picked.peek() ? pick(pictures.peek()[index].id) : openViewer(album, pictures.peek(), index, {
      films, queue, open,
      cellOf: (one) => grid.cells.at(one.id)?.element,
      closed: (one, place) => { // one that is gone leaves the keys at the next, or at the heading if it was the last
        const at = grid.indexOf(one.id);
        grid.focus(at < 0 ? Math.min(place, pictures.peek().length - 1) : at);
        if (!pictures.peek().length) focusHeading();
      },
    })),
  });
  const pick = (id) => {
    const next = new Set(picked.peek());
    if (!next.delete(id)) next.add(id);
    picked.set(next);
  };
  effect(() => {
    box.classList.toggle('is-picking', Boolean(picked()));
    grid.refresh();
  });
  grid.list.setAttribute('aria-label', words.gallery);
  const isBelow = () => box.isConnected && box.getBoundingClientRect().top < -innerHeight / 2;
  listening(window, ['scroll'], () => { if (unseen.peek() && !isBelow()) unseen.set(0); });
  let before = new Set();
  effect(() => {
    fresh.note();
    const now = pictures();
    shown.set(now);
    if (!isStyled()) return;
    const rows = which() === 'hearts' ? [{ first: 0, count: now.length }] : groupsHere(now);
    const more = now.filter(({ id }) => !before.has(id) && fresh.isFresh(id)).length;
    unseen.set(isBelow() ? unseen.peek() + more : 0);
    before = new Set(now.map(({ id }) => id));
    const isHere = document.activeElement === grid.list;
    grid.show(now, Float32Array.from(now, aspectOf), rows);
    if (isHere && !now.length) focusHeading(); // the last has gone, as a live photo's film after its picture
  });
  // Events are for everybody, and leave out when a picture was taken: hosts' pages ask.
  ending(album.on('changed', ({ id }) => {
    if (!isByTaking.peek() || album.pictures.peek().get(id)?.taken) return;
    album.ask('GET', `/pictures/${id}`).then(({ taken }) => taken && album.change(id, { taken })).catch(() => {});
  }));
  const timer = setInterval(() => {
    today.set(midnight());
    grid.refresh();
  }, LOOK);
  ending(() => clearInterval(timer));
  ending(grid.follow());
  const up = () => {
    unseen.set(0);
    host.scrollIntoView({ block: 'start' });
  };
  const isClosed = computed(() => album.details()?.state === 'closed');
  const content = html`${choice({ which, by, at, all, mine, spans, order, mayOrder })}
    <p class="gallery-new" role="status"><button class="button primary" type="button" @click=${up}
      hidden=${() => !unseen()}>${() => words.fresh(unseen())}</button></p>
    ${() => (album.isWhole() && !pictures().length ? nothing({ which, by, at, isClosed }) : '')}${box}`;
  return html`${() => (isStyled() ? content : '')}`;
});
