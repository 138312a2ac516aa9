// A picture on the whole screen: pinched, swiped, by keys. PhotoSwipe does it, and is loaded when the first is opened.

import { effect } from '/ui.js';
import { itemOf } from '/albums/album/gallery/item.js';
import '/albums/album/gallery/viewer-bar.js';
import { words } from '/albums/album/gallery/words.js';

const STYLE = '/photoswipe.css';

function loadStyle() {
  if (document.querySelector(`link[href="${STYLE}"]`)) return;
  document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: STYLE }));
}

function videoOf({ video, poster }) {
  const box = Object.assign(document.createElement('div'), { className: 'viewer-video' });
  const it = Object.assign(document.createElement('video'), {
    src: video, poster: poster ?? '', controls: true, playsInline: true, loop: false, preload: 'metadata',
  });
  box.append(it);
  return box;
}

/** Videos and what cannot be shown have elements of their own. */
function addContents(swipe) {
  swipe.on('contentLoad', (event) => {
    const { content } = event;
    if (content.type === 'video') {
      event.preventDefault();
      content.element = videoOf(content.data);
    } else if (content.data.html === '') {
      event.preventDefault();
      content.element = Object.assign(document.createElement('p'), {
        className: 'viewer-none', textContent: words.viewer.noSize });
    }
  });
  swipe.on('contentActivate', ({ content }) => { content.element?.querySelector?.('video')?.play().catch(() => {}); });
  swipe.on('contentDeactivate', ({ content }) => content.element?.querySelector?.('video')?.pause());
}

/**
 * Shows `pictures[index]` of an album, from its cell in the gallery (`cellOf`). `closed(picture)` is called at the end
 * with the one that was shown last.
 */
export async function openViewer(album, pictures, index, { cellOf = () => undefined, closed = () => {} } = {}) {
  loadStyle();
  const { PhotoSwipe } = await import('/photoswipe.js');
  const now = (place) => album.pictures.peek().get(pictures[place]?.id) ?? pictures[place];
  const { viewer } = words;
  const swipe = new PhotoSwipe({
    index, bgOpacity: 1, wheelToZoom: true, loop: pictures.length > 2, returnFocus: false, mainClass: 'album-viewer',
    closeTitle: viewer.close, zoomTitle: viewer.zoom, arrowPrevTitle: viewer.previous, arrowNextTitle: viewer.next,
    errorMsg: viewer.error, paddingFn: () => ({ top: 0, bottom: 0, left: 0, right: 0 }), maxZoomLevel: 4,
  });
  swipe.addFilter('numItems', () => pictures.length);
  swipe.addFilter('itemData', (_, place) => itemOf(now(place), cellOf(now(place))));
  swipe.addFilter('thumbEl', (_, data) => cellOf(data));
  addContents(swipe);
  const bar = Object.assign(document.createElement('album-viewer-bar'), { album, close: () => swipe.close() });
  swipe.on('uiRegister', () => swipe.ui.registerElement({
    name: 'album-bar', appendTo: 'root', onInit: (box) => box.append(bar),
  }));
  swipe.on('change', () => bar.show(now(swipe.currIndex)?.id));
  swipe.on('keydown', (event) => {
    if (event.originalEvent.key === 'Escape' && bar.unask()) event.preventDefault();
  });
  // A size that was made meanwhile takes the place of the smaller one.
  const source = (place) => JSON.stringify(now(place)?.sizes ?? {});
  let shown = '';
  const stop = effect(() => {
    album.pictures();
    const place = swipe.currIndex ?? index;
    const sizes = `${place} ${source(place)}`;
    if (shown.startsWith(`${place} `) && shown !== sizes && swipe.isOpen) swipe.refreshSlideContent(place);
    shown = sizes;
  });
  swipe.on('destroy', () => {
    stop();
    closed(now(swipe.currIndex));
  });
  swipe.init();
  bar.show(now(index).id);
  return swipe;
}
