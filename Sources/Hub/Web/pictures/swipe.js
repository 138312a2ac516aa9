// Pictures on the whole screen, one after the other: pinched, swiped, by keys. PhotoSwipe does it, and is loaded when
// the first is opened.

import { styled } from '/ui.js';
import { swiping } from '/pictures/swiping.js';

/** A viewer as `swiping` makes it, once PhotoSwipe is loaded. */
export async function makeSwipe(wish) {
  styled('/photoswipe.css');
  const { PhotoSwipe } = await import('/photoswipe.js');
  return swiping(PhotoSwipe, wish);
}
