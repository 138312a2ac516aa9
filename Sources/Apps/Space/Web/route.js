// Which view the address asks for: `#/event/<id>` is one event, anything else the list, which keeps its place
// meanwhile.

import { signal } from '/ui.js';

const read = () => {
  const found = /^#\/event\/(.+)$/.exec(location.hash);
  try {
    return found ? decodeURIComponent(found[1]) : null;
  } catch { // not an address of ours
    return null;
  }
};

/** The id of the event that is shown, or null for the list. */
export const shown = signal(read());

export const addressOf = (id) => `#/event/${encodeURIComponent(id)}`;

/** The element id of an event's link in the list, to which the focus returns. */
export const linkOf = (id) => `to-${id}`;

/** The title of the event that is shown, for the window's own title; empty while none is. */
export const shownTitle = signal('');

let place = 0;        // how far the list was scrolled when an event was opened
let fromList = false; // the list is one step back in the history

/** Back to the list: the way one came, or, for who came by a link, in place of it. */
export function leave() {
  if (fromList) history.back();
  else location.replace('#/');
}

export function followAddress() {
  history.scrollRestoration = 'manual'; // the list is hidden at the moment when the browser would scroll
  const show = () => document.body.toggleAttribute('data-detail', shown.peek() !== null);
  show();
  addEventListener('hashchange', () => {
    const before = shown.peek();
    const next = read();
    if (before === next) return;
    if (before === null) place = scrollY;
    fromList = before === null;
    shown.set(next);
    show();
    setTimeout(() => { // after the views have followed
      if (next !== null) {
        scrollTo(0, 0);
        document.querySelector('space-event h2')?.focus({ preventScroll: true });
        return;
      }
      document.getElementById(linkOf(before))?.focus({ preventScroll: true });
      scrollTo(0, place);
    });
  });
}
