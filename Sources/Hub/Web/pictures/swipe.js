// Pictures on the whole screen, one after the other: pinched, swiped, by keys. PhotoSwipe does it, and is loaded when
// the first is opened.

import { swiping } from '/pictures/swiping.js';

const STYLE = '/photoswipe.css';

function loadStyle() {
  if (document.querySelector(`link[href="${STYLE}"]`)) return;
  document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: STYLE }));
}

/** A viewer as `swiping` makes it, once PhotoSwipe is loaded. */
export async function makeSwipe(wish) {
  loadStyle();
  const { PhotoSwipe } = await import('/photoswipe.js');
  return swiping(PhotoSwipe, wish);
}
