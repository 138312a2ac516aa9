// Which view the address asks for: /programme/<id> is one event, anything else the list, which keeps its place
// meanwhile. Links within the page lead to `#/event/<id>`, and the address then shows the event's own: it can be passed
// on, and the hub tells what is there to whoever shows a preview of it.

import { signal } from '/ui.js';
import { isDetail } from '/detail.js';

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch { // not an address of ours
    return null;
  }
};

const read = () => {
  const found = /^#\/event\/(.+)$/.exec(location.hash) ?? /^\/programme\/([^/]+)$/.exec(location.pathname);
  return found ? decoded(found[1]) : null;
};

/** The id of the event that is shown, or null for the list. */
export const shown = signal(read());
isDetail.set(shown.peek() !== null);

export const addressOf = (id) => `#/event/${encodeURIComponent(id)}`;

/** The address of an event to be passed on. */
export const ownAddressOf = (id) => `/programme/${encodeURIComponent(id)}`;

/** What of the address says where in the page one is. */
export const placeInPage = () => location.search + (shown.peek() === null ? location.hash : addressOf(shown.peek()));

/** The element id of an event's link in the list, to which the focus returns. */
export const linkOf = (id) => `to-${id}`;

/** What /programme/scroll.js does when a view is left (it is still on the screen) and when the next one is there. */
export const travel = { away() {}, arrived() {} };

let fromList = false; // the list is one step back in the history

/** Back to the list: the way one came, or, for who came by a link, in place of it. */
export function leave() {
  if (fromList) {
    history.back();
    return;
  }
  history.replaceState(null, '', `/programme${location.search}`);
  follow();
}

const show = () => document.body.toggleAttribute('data-detail', shown.peek() !== null);

/** The address shows the event's own, whichever way one came to it. */
const settle = () => {
  if (shown.peek() !== null && location.hash) {
    history.replaceState(history.state, '', ownAddressOf(shown.peek()) + location.search);
  }
};

function follow() {
  const before = shown.peek();
  const next = read();
  if (before === next) {
    settle();
    return;
  }
  travel.away(before, next);
  fromList = before === null;
  shown.set(next);
  isDetail.set(next !== null);
  settle();
  show();
  setTimeout(() => { // after the views have followed
    travel.arrived(before, next);
    if (next !== null) document.querySelector('space-event h2')?.focus({ preventScroll: true });
  });
}

export function followAddress() {
  history.scrollRestoration = 'manual'; // the list is hidden at the moment when the browser would scroll
  show();
  settle();
  addEventListener('hashchange', follow);
  addEventListener('popstate', follow);
}
