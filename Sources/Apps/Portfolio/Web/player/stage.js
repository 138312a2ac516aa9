// The large picture: PhotoSwipe within its own part of the page, so that caption and keys stand beneath it. Files come
// when they are shown, over their placeholder, and their addresses are let go of when they are loaded.

import { fitted } from '/pictures/measures.js';
import { swiping } from '/pictures/swiping.js';
import { PhotoSwipe } from '/photoswipe.js';
import { drawing } from '/portfolio/icons.js';
import { Away } from '/portfolio/player/faults.js';
import { icons } from '/portfolio/player/icons.js';
import { placeholderOf } from '/portfolio/player/images.js';
import { words } from '/portfolio/player/words.js';

/** Why a film does not begin that is here: where it took long to come, Safari wants one more press, or one has left. */
const UNBEGUN = ['NotAllowedError', 'AbortError'];

/** A film: its picture until somebody starts it; the file comes then. */
function filmOf(picture, images) {
  const box = Object.assign(document.createElement('div'), { className: 'viewer-video' });
  const film = Object.assign(document.createElement('video'), { playsInline: true, preload: 'none' });
  film.setAttribute('aria-label', words.film);
  images.source.file(picture, '2048').then((file) => { film.poster = URL.createObjectURL(file); }, () => {});
  // A button of our own: browsers start nothing that has no address yet.
  const start = Object.assign(document.createElement('button'), { type: 'button', className: 'film-start' });
  start.setAttribute('aria-label', words.play);
  start.append(drawing(icons.play));
  start.addEventListener('pointerdown', (event) => event.stopPropagation()); // no swipe begins here
  const told = Object.assign(document.createElement('p'), { className: 'film-told' });
  told.setAttribute('role', 'status');
  start.addEventListener('click', async () => {
    start.disabled = true;
    told.textContent = '';
    try {
      film.src = URL.createObjectURL(await images.source.file(picture, 'video'));
      film.controls = true;
      start.remove();
      await film.play();
    } catch (error) {
      if (UNBEGUN.includes(error.name)) return;
      if (!(error instanceof Away)) return void (box.textContent = words.noSize);
      start.disabled = false;
      told.textContent = words.unsaved;
    }
  });
  box.append(film, start, told);
  return box;
}

function letGo(element) {
  const film = element?.querySelector?.('video');
  for (const address of [film?.src, film?.poster]) if (address) URL.revokeObjectURL(address);
}

/**
 * Opens the pictures in `box` at a place; `changed(place)` is called for each that is come to, `tapped()` for a tap
 * on one. `hasFilms` says that films' files can be had.
 */
export function openStage(box, pictures, place, { images, hasFilms, changed, tapped }) {
  const itemAt = (index) => {
    const picture = pictures[index];
    const isFilm = picture.kind !== 'picture' && hasFilms && picture.sizes?.video;
    return { ...fitted(2048, picture), type: isFilm ? 'film' : 'image', picture,
      alt: picture.title || words.picture(index + 1), thumbCropped: false };
  };
  const swipe = swiping(PhotoSwipe, {
    index: place, count: pictures.length, itemAt, cellOf: () => null, words, name: 'player-stage',
    options: {
      appendToEl: box, getViewportSizeFn: () => ({ x: box.clientWidth, y: box.clientHeight }),
      close: false, zoom: false, counter: false, arrowPrev: false, arrowNext: false, escKey: false, trapFocus: false,
      closeOnVerticalDrag: false, pinchToClose: false, clickToCloseNonZoomable: false, preload: [1, 2],
      imageClickAction: 'zoom', bgClickAction: tapped, tapAction: tapped, doubleTapAction: 'zoom',
      showHideAnimationType: 'none', zoomAnimationDuration: matchMedia('(prefers-reduced-motion: reduce)').matches
        ? 0 : 333,
    },
  });
  swipe.addFilter('placeholderSrc', (_, { data }) => data.holder ??= placeholderOf(data.picture) || false);
  swipe.on('contentLoad', (event) => {
    const { content } = event;
    if (content.type !== 'film') return;
    event.preventDefault();
    content.element ??= filmOf(content.data.picture, images);
  });
  const short = new Set(); // the places of pictures that could not be had, or only small
  swipe.on('contentLoadImage', (event) => {
    const { content } = event;
    event.preventDefault();
    content.state = 'loading';
    content.element.alt = content.data.alt;
    images.show(content.element, content.data.picture).then((isWhole) => {
      if (!isWhole) short.add(content.index);
      content.onLoaded();
    }, () => {
      short.add(content.index);
      if (content.element) content.onError();
    });
  });
  const again = () => {
    const indices = [...short];
    short.clear();
    for (const index of indices) swipe.refreshSlideContent(index);
  };
  images.addEventListener('again', again);
  swipe.on('destroy', () => images.removeEventListener('again', again));
  swipe.on('contentDeactivate', ({ content }) => content.element?.querySelector?.('video')?.pause());
  swipe.on('contentDestroy', ({ content }) => letGo(content.element));
  swipe.on('keydown', (event) => {
    const { key, target } = event.originalEvent;
    if (key === 'Tab' || target.closest?.('textarea, input, video')) event.preventDefault();
  });
  swipe.on('change', () => changed(swipe.currIndex));
  swipe.init();
  swipe.element.setAttribute('role', 'group');
  swipe.element.setAttribute('aria-label', words.viewer);
  const observer = new ResizeObserver(() => swipe.updateSize(true));
  observer.observe(box);
  swipe.on('destroy', () => observer.disconnect());
  return swipe;
}
