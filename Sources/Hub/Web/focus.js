// The focus of what is pressed and then goes: it comes to what is near. Without that, whoever goes by the keyboard or
// has a page read aloud would begin at its top again. What is only drawn anew keeps it: see keepingFocus in /ui.js.
// Whoever has a focus may fill in a form, too: see /required.js.

import '/required.js';
import { drawWithin } from '/ui.js';

const KEYS = 'a[href], button, summary';
const FIELDS = 'input, select, textarea';
const HEADINGS = 'h1, h2, h3';

const isLost = (node) => !node.isConnected || node.matches(':disabled, [hidden], [hidden] *, [inert], [inert] *');
const isThere = (one) => one && !isLost(one) && one.getClientRects().length > 0;
const isTyped = (one) => one.matches('input:not([type=checkbox], [type=radio]), textarea, [contenteditable]');
/** Not what removes something: Enter, and Enter once more out of habit, would remove two. */
const isSafe = (one) => isThere(one) && !one.matches('.danger');
const within = (root, kind) => [...root?.querySelectorAll(kind) ?? []];

/** The way from an element up to the page: each [parent, place in it, child]. */
function trailOf(node) {
  const trail = [];
  for (let one = node; one?.parentElement; one = one.parentElement) {
    trail.push([one.parentElement, [...one.parentElement.children].indexOf(one), one]);
  }
  return trail;
}

/**
 * To the same control of the row beside, another one beside, what was drawn in its place, or the heading above. Not to
 * a field, which would open a phone's keyboard, and from a field not to a button, which the next letter might press.
 */
function comeNear(focused, trail) {
  const now = document.activeElement;
  if (now && now !== document.body && !isLost(now)) return;
  const [parent, index, gone] = trail.find(([one]) => !isLost(one));
  const before = Math.min(index, parent.children.length) - 1;
  const near = [index, index + 1, before].map((at) => parent.children[at]).filter(isThere);
  const alike = [focused.localName, ...focused.classList].map((name) => CSS.escape(name)).join('.');
  const place = within(gone, alike).indexOf(focused);
  const drawn = near.find((one) => one === parent.children[index]);
  const first = within(drawn, `${KEYS}, ${FIELDS}`).find(isSafe);
  const rows = place < 0 ? [] : near.filter((one) => one.matches('li, tr'));
  const part = parent.closest('section, article, dialog, main') ?? document.querySelector('main') ?? parent;
  const button = isTyped(focused) ? undefined : rows.map((one) => within(one, alike).at(place)).find(isSafe)
    ?? near.find((one) => one.matches(KEYS) && isSafe(one));
  const found = button ?? within(drawn, HEADINGS).find(isThere)
    ?? (isTyped(focused) || first?.matches(FIELDS) ? undefined : first)
    ?? within(part, HEADINGS).find(isThere) ?? part;
  if (found.tabIndex < 0) found.tabIndex = -1;
  found.focus({ preventScroll: true });
}

drawWithin((draw) => {
  const focused = document.activeElement;
  const trail = trailOf(focused);
  draw();
  // With the next frame, so that whoever places the focus on purpose has done so.
  if (trail.length && isLost(focused)) requestAnimationFrame(() => comeNear(focused, trail));
});
