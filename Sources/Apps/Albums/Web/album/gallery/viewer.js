// A picture of an album on the whole screen, with the line below it.

import { effect } from '/ui.js';
import { size } from '/sizes.js';
import { stepIn } from '/albums/album/gallery/back.js';
import { itemOf } from '/albums/album/gallery/item.js';
import { live } from '/albums/album/gallery/live.js';
import '/albums/album/gallery/viewer-bar.js';
import { count, labelOf, words } from '/albums/album/gallery/words.js';
import { makeSwipe } from '/pictures/swipe.js';

/** Why a file cannot be shown, and its name and size, of those that may know it. */
const tellFile = ({ reason, name, bytes }) => [words.viewer.reasons[reason],
  [name, bytes ? size(bytes) : ''].filter(Boolean).join(', ')].filter(Boolean).join(' ');

/**
 * Shows `pictures[index]` of an album, from its cell in the gallery (`cellOf`). `films` and `queue` are signals of the
 * films of live photos by their pictures' ids, and of what sends from this device. `open(id)`, if it is given, leads to
 * the person with that id. `closed(picture, place)` is called at the end with the picture that was shown last, and its
 * place.
 */
export async function openViewer(album, pictures, index, { films, queue, open, cellOf, closed }) {
  const now = (place) => album.pictures.peek().get(pictures[place]?.id) ?? pictures[place];
  const source = (place) => JSON.stringify([now(place)?.sizes, now(place)?.video]);
  const swipe = await makeSwipe({
    index, count: pictures.length, cellOf, words: words.viewer, name: 'album-viewer', title: words.viewer.title,
    nameOf: (place) => `${words.viewer.place(count(place + 1), count(pictures.length))}: ${labelOf(now(place))}`,
    itemAt: (place) => ({
      ...itemOf(now(place), cellOf(now(place))), told: tellFile(now(place)), source: source(place),
    }),
  });
  // While it opens, PhotoSwipe closes nothing.
  const close = () => (swipe.opener.isOpen ? swipe.close() : swipe.on('openingAnimationEnd', () => swipe.close()));
  const film = () => films.peek().get(now(swipe.currIndex)?.id)?.video;
  const bar = Object.assign(document.createElement('album-viewer-bar'), {
    album, films, queue, open, close, play: live(swipe, film).play,
  });
  swipe.on('uiRegister', () => swipe.ui.registerElement({
    name: 'album-bar', appendTo: 'root', onInit: (box) => box.append(bar),
  }));
  // A size that was made meanwhile takes the place of the smaller one, also of a picture beside, once it is seen.
  const renew = () => {
    const { index: place, content } = swipe.currSlide ?? {};
    if (content && content.data.source !== source(place)) swipe.refreshSlideContent(place);
  };
  swipe.on('change', () => {
    bar.show(now(swipe.currIndex)?.id);
    renew();
  });
  swipe.on('keydown', (event) => {
    if (document.querySelector('.viewer-sound[open]')) event.preventDefault(); // the keys are the dialogue's
    else if (event.originalEvent.key === 'Escape' && bar.unask()) event.preventDefault();
  });
  const stop = effect(() => {
    album.pictures();
    renew();
  });
  swipe.on('destroy', () => {
    stop();
    closed(now(swipe.currIndex), swipe.currIndex);
    bar.closed?.();
  });
  swipe.init();
  swipe.on('close', stepIn(close));
  bar.show(now(index).id);
  return swipe;
}
