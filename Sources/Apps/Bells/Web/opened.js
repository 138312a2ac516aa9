// The private parts of notifications, opened with this device's keys, for pages.

import { signal } from '/ui.js';
import { keptKey } from '/bells/private-keys.js';
import { open } from '/bells/sealed.js';

let found = new WeakMap();
const change = signal(0);

/** To be called when the keys have changed: what could not be opened may be opened now, and the other way round. */
export function lookAgain() {
  found = new WeakMap();
  change.set(change.peek() + 1);
}

/** A content with its private part; as it came, with its fallback, for a moment at first, and where no key opens it. */
export function opened(whole) {
  if (!whole?.sealed) return whole;
  change();
  let content = found.get(whole);
  if (!content) {
    content = signal(null);
    found.set(whole, content);
    open(whole, keptKey).then(content.set);
  }
  return content() ?? whole;
}
