// The view that the address selects: /programme/<id> is one event, anything else the list, which keeps its position.
// Links within the page lead to `#/event/<id>`, and the address then becomes the event's own: it can be shared, and the
// hub adds the event's data to its page for link previews.

import { signal } from '/ui.js';
import { isDetail } from '/detail.js';

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch { // an invalid address
    return null;
  }
};

const read = () => {
  const found = /^#\/event\/(.+)$/.exec(location.hash) ?? /^\/programme\/([^/]+)$/.exec(location.pathname);
  return found ? decoded(found[1]) : null;
};

/** The id of the event shown, or null for the list. */
export const shown = signal(read());
isDetail.set(shown.peek() !== null);

export const addressOf = (id) => `#/event/${encodeURIComponent(id)}`;

/** The address of an event for sharing. */
export const ownAddressOf = (id) => `/programme/${encodeURIComponent(id)}`;

/** The part of the address that tells the place within the page. */
export const placeInPage = () => location.search + (shown.peek() === null ? location.hash : addressOf(shown.peek()));

/** The element id of an event's link in the list, to which the focus returns. */
export const linkOf = (id) => `to-${id}`;

/** The hooks of /programme/scroll.js: before a view is left, and when the next one is shown. */
export const travel = { away() {}, arrived() {} };

let fromList = false; // true if the list is one step back in the history

/** Goes back to the list: in the history, or, after coming by a link, by replacing the address. */
export function leave() {
  if (fromList) {
    history.back();
    return;
  }
  history.replaceState(null, '', `/programme${location.search}`);
  follow();
}

const show = () => document.body.toggleAttribute('data-detail', shown.peek() !== null);

/** Replaces the address by the event's own. */
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
  setTimeout(() => { // after the views are updated
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
