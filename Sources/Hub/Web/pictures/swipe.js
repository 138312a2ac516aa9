// Pictures on the whole screen, one after the other: pinched, swiped, by keys. PhotoSwipe does it, and is loaded when
// the first is opened.

import { styled } from '/ui.js';
import { swiping } from '/pictures/swiping.js';

/**
 * Has each picture named where the page is read aloud. A screen reader keeps the arrow keys for itself but on some
 * controls, so a slider has the focus: from one picture to the next. The page behind is not made inert, since an alarm
 * would be silent there.
 */
function readOut(swipe, { title, count, nameOf }) {
  const make = (role, more) => {
    const one = Object.assign(document.createElement('div'), { className: 'visually-hidden', ...more });
    one.setAttribute('role', role);
    return one;
  };
  const [slider, status] = [make('slider', { tabIndex: 0 }), make('status')];
  const set = (all, one = slider) => Object.entries(all).forEach(([name, to]) => one.setAttribute(`aria-${name}`, to));
  swipe.on('firstUpdate', () => {
    set({ label: title, modal: true }, swipe.element);
    set({ label: title, valuemin: 1, valuemax: count });
    swipe.element.prepend(slider, status);
  });
  swipe.on('change', () => {
    const name = nameOf(swipe.currIndex);
    set({ valuenow: swipe.currIndex + 1, valuetext: name });
    status.textContent = document.activeElement === slider || !swipe.opener.isOpen ? '' : name; // it says so itself
  });
  swipe.on('bindEvents', () => slider.focus());
}

/** A viewer as `swiping` makes it, called `title`, once PhotoSwipe is loaded: `nameOf(place)` is a picture in words. */
export async function makeSwipe(wish) {
  styled('/photoswipe.css');
  const { PhotoSwipe } = await import('/photoswipe.js');
  const swipe = swiping(PhotoSwipe, wish);
  readOut(swipe, wish);
  return swipe;
}
