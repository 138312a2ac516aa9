// A live photo on the whole screen: its film plays over it while it is held, or once by its button.

const HELD = 300; // milliseconds
const MOVED = 10; // pixels, after which somebody swipes

/** {play()}: `swipe` is PhotoSwipe; `filmOf()` the address of the film of the picture that is shown, or undefined. */
export function live(swipe, filmOf) {
  let film = null;
  let timer = null;
  let from = null;
  let wasHeld = false;
  const end = () => {
    clearTimeout(timer);
    film?.remove();
    film = null;
  };
  const play = () => {
    const picture = swipe.currSlide?.content?.element;
    const src = filmOf();
    end();
    if (!src || !picture) return;
    const { left, top, width, height } = picture.getBoundingClientRect();
    film = Object.assign(document.createElement('video'), { src, playsInline: true, className: 'viewer-live' });
    Object.assign(film.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    film.onended = end;
    film.onerror = end;
    swipe.element.append(film);
    const mine = film;
    film.play().catch(() => { // a browser that lets nobody be heard
      mine.muted = true;
      mine.play().catch(end);
    });
  };
  swipe.on('pointerDown', ({ originalEvent }) => {
    wasHeld = false;
    from = { x: originalEvent.clientX, y: originalEvent.clientY };
    end();
    if (!filmOf() || !originalEvent.target.closest?.('.pswp__item')) return;
    timer = setTimeout(() => {
      wasHeld = true;
      play();
    }, HELD);
  });
  swipe.on('pointerMove', ({ originalEvent }) => {
    if (from && Math.hypot(originalEvent.clientX - from.x, originalEvent.clientY - from.y) > MOVED) end();
  });
  swipe.on('pointerUp', () => {
    from = null;
    clearTimeout(timer);
    if (wasHeld) end();
  });
  for (const name of ['imageClickAction', 'bgClickAction', 'tapAction', 'doubleTapAction']) {
    swipe.on(name, (event) => { if (wasHeld) event.preventDefault(); }); // it was no tap
  }
  for (const name of ['change', 'close', 'zoomPanUpdate', 'destroy']) swipe.on(name, () => { if (!wasHeld) end(); });
  return {
    play: () => {
      wasHeld = false;
      play();
    },
  };
}
