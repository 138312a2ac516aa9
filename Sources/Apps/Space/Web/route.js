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

/** What /space/place.js does when a view is left (it is still on the screen) and when the next one is there. */
export const travel = { away() {}, arrived() {} };

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
    travel.away(before, next);
    fromList = before === null;
    shown.set(next);
    show();
    setTimeout(() => { // after the views have followed
      travel.arrived(before, next);
      if (next !== null) document.querySelector('space-event h2')?.focus({ preventScroll: true });
    });
  });
}
