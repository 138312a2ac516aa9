// A picture on the whole screen, and the slide show.

import { key, icons } from '/portfolio/icons.js';
import { settings } from '/portfolio/settings.js';
import { plateOf } from '/portfolio/view/plate.js';
import { itemOf } from '/portfolio/wall/plan.js';
import { count, dayOf, words } from '/portfolio/words.js';
import { effect, ending, html, signal } from '/ui.js';
import { stayAwake } from '/awake.js';
import { makeSwipe } from '/pictures/swipe.js';

const said = words.view;
const IDLE = 2_500; // milliseconds

/** The browser's own bars go away, where it lets us. Its end ends ours. */
function fillScreen(ended) {
  const root = document.documentElement;
  root.requestFullscreen?.({ navigationUI: 'hide' }).catch(() => {}); // the window is filled anyway
  const changed = () => { if (!document.fullscreenElement) ended(); };
  document.addEventListener('fullscreenchange', changed);
  return () => {
    document.removeEventListener('fullscreenchange', changed);
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  };
}

/** Goes on by itself while it is on, and keeps the screen awake. */
function slideshow(swipe) {
  const isPlaying = signal(false);
  const stop = effect(() => {
    stayAwake('slideshow', isPlaying());
    if (!isPlaying()) return;
    const timer = setInterval(() => { if (!document.hidden) swipe.next(); }, settings().seconds * 1000);
    ending(() => clearInterval(timer));
  });
  return { isPlaying, end: () => (stop(), stayAwake('slideshow', false)) };
}

/** The keys over the picture go when nobody moves: nothing lies on it then. */
function hideKeys(swipe) {
  let timer = 0;
  const moved = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const isAtKey = swipe.element?.querySelector(':is(button, a):focus-visible');
      if (!isAtKey) swipe.element?.classList.remove('pswp--ui-visible');
    }, IDLE);
  };
  const shown = ({ pointerType }) => {
    if (pointerType === 'mouse') swipe.element?.classList.add('pswp--ui-visible');
    moved();
  };
  for (const name of ['pointermove', 'pointerup', 'keydown']) addEventListener(name, shown, { passive: true });
  moved();
  return () => {
    clearTimeout(timer);
    for (const name of ['pointermove', 'pointerup', 'keydown']) removeEventListener(name, shown);
  };
}

/**
 * Shows `pictures[index]` on the whole screen. `changed(id)` is called for each picture, `cellOf(id)` is a small
 * picture's element, `closed()` is called at the end. With `isPlayed` the slide show begins. Resolved with what closes
 * it.
 */
export async function openFull(pictures, index, { changed, cellOf, closed, isPlayed = false }) {
  let close = () => {};
  const restore = fillScreen(() => close()); // at once: browsers allow it only while the press is fresh
  const swipe = await makeSwipe({
    index, count: pictures.length, words: said, name: 'portfolio-full', title: said.full,
    cellOf: ({ id }) => cellOf(id),
    nameOf: (at) => words.picture(pictures[at].title, count(at + 1), count(pictures.length)),
    itemAt: (place) => itemOf(pictures[place], cellOf(pictures[place].id)),
    options: { preload: [1, 2], bgClickAction: 'toggle-controls', loop: true, returnFocus: true },
  }).catch((error) => {
    restore();
    throw error;
  });
  // While it opens, PhotoSwipe closes nothing.
  close = () => (swipe.opener.isOpen ? swipe.close() : swipe.on('openingAnimationEnd', () => swipe.close()));
  const show = slideshow(swipe);
  const place = signal(index);
  const plate = () => plateOf(pictures[place()], settings().shows, dayOf);
  const bar = html`<div class="full-bar"><p><strong>${() => plate().title}</strong> <span>${() =>
    plate().rest.map(({ text }) => text).join(' · ')}</span></p>${key(
    () => (show.isPlaying() ? icons.pause : icons.play), () => (show.isPlaying() ? said.pause : said.play),
    () => show.isPlaying.set(!show.isPlaying.peek()))}</div>`;
  swipe.on('uiRegister', () => swipe.ui.registerElement({
    name: 'portfolio-bar', appendTo: 'root', onInit: (box) => box.append(bar),
  }));
  swipe.on('change', () => {
    place.set(swipe.currIndex);
    changed(pictures[swipe.currIndex].id);
  });
  swipe.on('pointerDown', () => show.isPlaying.set(false));
  const stopHiding = hideKeys(swipe);
  swipe.on('keydown', ({ originalEvent }) => {
    if (originalEvent.key === 'p' || originalEvent.key === 'P') show.isPlaying.set(!show.isPlaying.peek());
  });
  swipe.on('destroy', () => {
    stopHiding();
    show.end();
    restore();
    closed();
  });
  swipe.init();
  if (isPlayed) show.isPlaying.set(true);
  return close;
}
