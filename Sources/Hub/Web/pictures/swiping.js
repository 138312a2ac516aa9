// How pictures are swiped by PhotoSwipe, which is passed in: a page loads it when it needs it.

const CONTROLS = 64; // pixels at a film's lower edge, which are not for swiping

function videoOf({ video, poster }) {
  const box = Object.assign(document.createElement('div'), { className: 'viewer-video' });
  const it = Object.assign(document.createElement('video'), {
    src: video, poster: poster ?? '', controls: true, playsInline: true, preload: 'metadata',
  });
  box.append(it);
  return box;
}

/** Videos and what cannot be shown have elements of their own. */
function addContents(swipe, none) {
  swipe.on('contentLoad', (event) => {
    const { content } = event;
    if (content.type === 'video') {
      event.preventDefault();
      content.element = videoOf(content.data);
    } else if (content.data.html === '') {
      event.preventDefault();
      content.element = Object.assign(document.createElement('p'), {
        className: 'viewer-none', textContent: [none, content.data.told].filter(Boolean).join(' ') });
    }
  });
  swipe.on('contentActivate', ({ content }) => { content.element?.querySelector?.('video')?.play().catch(() => {}); });
  swipe.on('contentDeactivate', ({ content }) => content.element?.querySelector?.('video')?.pause());
  swipe.on('pointerDown', (event) => {
    const { target, clientY } = event.originalEvent;
    const isControl = target.localName === 'video' && clientY > target.getBoundingClientRect().bottom - CONTROLS;
    if (isControl || target.closest?.('dialog')) event.preventDefault();
  });
}

/**
 * A viewer of `count` pictures, made but not opened (`init()` does that): `itemAt(place)` gives a picture as PhotoSwipe
 * wants it, of type 'video' with `video` and `poster`, or with an empty `html` if it cannot be shown, of which `told`
 * says more; `cellOf(item)` is its small picture's element. `words`: close, zoom, previous, next, error, noSize.
 */
export function swiping(PhotoSwipe, { index, count, itemAt, cellOf, words, name, options = {} }) {
  const swipe = new PhotoSwipe({
    index, bgOpacity: 1, wheelToZoom: true, loop: count > 2, returnFocus: false, mainClass: name,
    closeTitle: words.close, zoomTitle: words.zoom, arrowPrevTitle: words.previous, arrowNextTitle: words.next,
    errorMsg: words.error, paddingFn: () => ({ top: 0, bottom: 0, left: 0, right: 0 }), maxZoomLevel: 4, ...options,
  });
  swipe.addFilter('numItems', () => count);
  swipe.addFilter('itemData', (_, place) => itemAt(place));
  swipe.addFilter('thumbEl', (_, data) => cellOf(data));
  addContents(swipe, words.noSize);
  return swipe;
}
