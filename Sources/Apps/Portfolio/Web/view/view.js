// One picture large, with the others of its gallery below it. A tap on it fills the screen.

import { computed, effect, ending, html, listening, signal } from '/ui.js';
import { stayAwake } from '/awake.js';
import { careful } from '/doing.js';
import { holding } from '/offline.js';
import { isWeb } from '/addresses.js';
import { change } from '/session.js';
import { drawing, icons, key } from '/portfolio/icons.js';
import { PORTFOLIOS } from '/portfolio/library.js';
import { settings } from '/portfolio/settings.js';
import { FAVOURITES, favour, isFavourite, sendHearts } from '/portfolio/sharing/favourite.js';
import { openFull } from '/portfolio/view/full.js';
import { plateOf } from '/portfolio/view/plate.js';
import { Presenter } from '/portfolio/view/presenter.js';
import { Film } from '/portfolio/wall/film.js';
import { aspectOf, largeOf, smallOf } from '/portfolio/wall/plan.js';
import { count, dayOf, words } from '/portfolio/words.js';

const said = words.view;
const SWIPED = 48; // pixels across after which a touch goes on
const FILM = { high: 64, gap: 4 };
const NONE = [];

/** The large picture above its small one, both used for one after the other; the next ones are fetched before. */
function stage() {
  const image = () => Object.assign(new Image(), { alt: '', draggable: false, decoding: 'async' });
  const [small, large] = [image(), image()];
  const film = Object.assign(document.createElement('video'), {
    className: 'stage-film', controls: true, playsInline: true, preload: 'metadata', hidden: true,
  });
  large.className = 'large';
  const near = [];
  large.onload = () => large.classList.add('is-there');
  /** True if it had another address; one that could not be loaded is tried again. */
  const set = (one, address = '') => {
    if (one.getAttribute('src') === address && (!one.complete || one.naturalWidth > 0)) return false;
    if (address) one.src = address;
    else one.removeAttribute('src');
    return true;
  };
  return {
    small, large, film,
    stop: () => film.pause(),
    show(picture, beside) {
      const address = picture.kind === 'video' ? picture.sizes?.video?.url : undefined;
      film.hidden = !address;
      if (set(film, address)) film.pause(); // one that plays goes on when its gallery is told anew
      film.poster = address ? largeOf(picture) : '';
      large.alt = picture.title ?? '';
      set(small, smallOf(picture));
      if (set(large, largeOf(picture))) large.classList.remove('is-there');
      near.splice(0, near.length, ...beside.map((one) => Object.assign(new Image(), { src: largeOf(one) })));
    },
  };
}

/**
 * {element, show(route)}: `route` is {portfolio, gallery, picture}, null hides it; `go(route)` changes it, null for the
 * wall.
 */
export function pictureView(library, go) {
  const route = signal(null);
  const pictures = computed(() => (library.turn(), route() && library.pictures(route().portfolio, route().gallery))
    ?? NONE);
  const index = computed(() => Math.max(0, pictures().findIndex(({ id }) => id === route()?.picture)));
  const { doing, note } = careful();
  const aside = careful(); // keeps no other button waiting, as for a heart that is on its way
  const presenter = new Presenter();
  const { small, large, film: player, show, stop } = stage();
  let swipe = null;
  const picture = () => pictures()[index()];
  const plate = () => plateOf(picture(), settings().shows, dayOf);
  const lines = () => [...plate().rest.map(({ text }) => text), picture()?.file].filter(Boolean).join(' · ');
  const gallery = () => (library.portfolios(), route() && library.gallery(route().portfolio, route().gallery));
  const to = (place) => {
    const all = pictures.peek();
    const next = all[(place + all.length) % all.length];
    if (next) go({ ...route.peek(), picture: next.id });
  };
  const film = new Film({
    className: 'filmstrip', open: to,
    labelOf: (one, place) => words.picture(one.title, count(place + 1), count(pictures.peek().length)),
  });
  film.box.setAttribute('aria-label', said.thumbs);

  effect(() => {
    library.turn();
    if (route() && pictures() === NONE) library.load(route().portfolio, route().gallery);
  });
  let last = { id: '', place: 0 }; // of the picture that was shown last
  effect(() => {
    const all = pictures();
    if (!route()) {
      last = { id: '', place: 0 };
      return;
    }
    if (!all.length) {
      if (!library.isWhole()) return; // they may come
      route.set(null);
      presenter.show(null);
      go(null);
      return;
    }
    const place = index();
    const one = all[place];
    // An address may name none, or one that has gone; or one that this device does not know yet.
    if (one.id !== route().picture && (!route().picture || library.isWhole())) {
      to(Math.min(last.place, all.length - 1));
      return;
    }
    element.hidden = false; // by now: what is hidden scrolls nowhere
    const isOther = one.id !== last.id;
    last = { id: one.id, place };
    show(one, [all[place + 1], all[place - 1]].filter(Boolean));
    element.querySelector('.stage-frame').style.setProperty('--ar', aspectOf(one));
    Object.assign(film, { wide: innerWidth, active: place });
    film.show(all, FILM);
    if (isOther) film.activate(place, true);
    presenter.show(one, plateOf(one, settings().shows, dayOf));
  });

  const full = (isPlayed = false) => {
    if (swipe || !pictures.peek().length) return;
    swipe = openFull(pictures.peek(), index.peek(), {
      isPlayed, cellOf: (id) => film.cellOf(id), closed: () => { swipe = null; },
      changed: (id) => { // one that has gone meanwhile is still shown there
        if (route.peek() && pictures.peek().some((one) => one.id === id)) go({ ...route.peek(), picture: id });
      },
    });
    swipe.catch(() => { swipe = null; });
    aside.atOnce(() => swipe);
  };
  const makeCover = () => doing(() => change('PATCH', `${PORTFOLIOS}/${route.peek().portfolio}/galleries/${
    route.peek().gallery}`, { cover: picture().id }));
  const isLiked = () => (library.turn(), Boolean(picture()) && isFavourite(library, route()?.portfolio, picture().id));
  const like = () => {
    favour(library, route.peek().portfolio, picture().id);
    aside.inTurn(() => sendHearts(library));
  };
  const saveIt = () => doing(async () => {
    const { save } = await import('/portfolio/sharing/save.js');
    await save(picture());
  });
  let sheet = null;
  const share = () => doing(async () => {
    if (!sheet) {
      const { shareSheet } = await import('/portfolio/sharing/sheet.js');
      sheet = shareSheet();
      element.append(sheet.dialog);
    }
    sheet.open({ portfolio: route.peek().portfolio, gallery: gallery(), picture: picture() });
  });
  const pressed = (event) => {
    if (!route.peek() || swipe || event.target === player || event.altKey || event.ctrlKey || event.metaKey) return;
    if (document.querySelector('dialog[open]')) return; // its own keys, and words that are typed in it
    if (event.key === 'ArrowRight') to(index.peek() + 1);
    else if (event.key === 'ArrowLeft') to(index.peek() - 1);
    else if (event.key === 'Escape') go(null);
    else if (event.key === 'f' || event.key === 'F') full();
    else if (event.key === 'p' || event.key === 'P') full(true);
    else return;
    event.preventDefault();
  };
  listening(window, ['keydown'], pressed);
  ending(() => presenter.stop());
  effect(() => stayAwake('presenter', presenter.isOn())); // nobody touches a picture that is talked about
  ending(holding(() => swipe !== null || presenter.isOn.peek()));
  effect(() => {
    if (route()) return;
    stop();
    swipe?.then((close) => close(), () => {}); // the reader went back
  });
  const isFilm = () => picture()?.kind === 'video' && Boolean(picture().sizes?.video);
  let touched = null;
  let isSwiped = false;
  const down = ({ clientX, clientY }) => { touched = { x: clientX, y: clientY }; };
  const up = ({ clientX, clientY }) => {
    const moved = touched ? clientX - touched.x : 0;
    isSwiped = Math.abs(moved) > SWIPED && Math.abs(moved) > 2 * Math.abs(clientY - touched.y);
    touched = null;
    if (isSwiped) to(index.peek() + (moved < 0 ? 1 : -1));
  };
  const click = () => { if (!isSwiped) full(); };
  const page = () => (isWeb(picture()?.page) ? html`<a class="plate-key" href=${picture().page} target="_blank"
    rel="noreferrer" aria-label=${said.page} title=${said.page}>${drawing(icons.page)}</a>` : '');
  const isOwn = () => (library.portfolios(), library.portfolio(route()?.portfolio)?.source?.kind === 'uploads');
  const isAsked = signal(false);
  const shown = computed(() => picture()?.id);
  effect(() => {
    route();
    shown();
    isAsked.set(false);
  });
  const remove = () => doing(async () => {
    const { portfolio, gallery: id } = route.peek();
    const which = shown.peek();
    const [next] = [pictures.peek()[index.peek() + 1], pictures.peek()[index.peek() - 1]].filter(Boolean);
    await change('DELETE', `${PORTFOLIOS}/${portfolio}/galleries/${id}/pictures/${which}`);
    // The reader may look at another one by now, or at the wall.
    if (route.peek() && shown.peek() === which) go(next ? { ...route.peek(), picture: next.id } : null);
  });
  const question = () => (isAsked() ? html`<p role="alert">${said.removeAsk} <button class="button" type="button"
    @click=${() => isAsked.set(false)}>${said.keep}</button> <button class="button danger" type="button"
    @click=${remove}>${said.removeYes}</button></p>` : '');
  const own = () => (isOwn() ? html`${picture()?.original ? html`<a class="plate-key" href=${picture().original.url}
    download aria-label=${said.original} title=${said.original}>${drawing(icons.down)}</a>` : ''}${
    route()?.gallery === FAVOURITES ? '' : key(icons.bin, said.remove, () => isAsked.set(true))}` : '');
  const isCover = () => gallery()?.cover?.id === picture()?.id;
  const element = html`<section class="picture-view" aria-label=${said.name} hidden=${() => !route()}>
    <div class="stage"><button class="stage-frame" type="button" hidden=${isFilm} aria-label=${() =>
  `${said.full}: ${words.picture(picture()?.title, count(index() + 1), count(pictures().length))}`} @click=${click}
      @pointerdown=${down} @pointerup=${up} @pointercancel=${() => { touched = null; }}>${small}${large}</button>${
  player}</div>
    <div class="view-plate">
      <div class="plate-text" aria-live="polite"><h1 tabindex="-1">${() => plate().title || gallery()?.title || ''}</h1>
        <p>${lines}${() => (picture()?.private
  ? html` <span class="tag">${said.private}</span>` : '')}</p>${question}${note}${aside.note}
        <p class="note" role="alert" hidden=${() => !presenter.isBlocked()}>${said.blocked}</p></div>
      <div class="plate-keys">${key(icons.back, said.back, () => go(null))}
        <span class="plate-count">${() => said.count(count(index() + 1), count(pictures().length))}</span>
        ${key(icons.left, said.previous, () => to(index.peek() - 1))}${key(icons.right, said.next,
  () => to(index.peek() + 1))}${key(icons.play, said.play, () => full(true))}${key(icons.screen, said.screen,
  () => (presenter.isOn.peek() ? presenter.stop() : presenter.start()), presenter.isOn)}${() => (
  route()?.gallery === FAVOURITES ? '' : key(icons.cover, said.cover, makeCover, isCover))}${key(icons.heart, said.like,
  like, isLiked)}${key(icons.down, said.save, saveIt)}${key(icons.share, said.share, share)}${page}${own}</div></div>
    ${film.box}</section>`.firstElementChild;
  return { element, show: route.set };
}
