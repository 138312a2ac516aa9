// Keys in the picture.

import { $ } from './elements.js';

export const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** The nearest in a direction among places, each [x, y, what]; undefined if there is none. */
export function towards([dx, dy], [x, y], places) {
  let [best, most] = [undefined, 0.3];
  for (const [ox, oy, what] of places) {
    const along = ((ox - x) * dx + (oy - y) * dy) / (Math.hypot(ox - x, oy - y) || 1);
    if (along > most) [best, most] = [what, along];
  }
  return best;
}

/**
 * @param keys the action of each key; `arrow` receives arrow keys and the state of Shift, if nothing else uses them.
 */
export function listen(canvas, keys, arrow) {
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || $('keys').open) return;
    const isTyping = event.target.matches('input, select, textarea');
    if (isTyping && event.key !== 'Escape') return;
    if (event.target.matches('button, a') && event.key === 'Enter') return;
    const isArrow = directions[event.key] && (event.target === canvas || event.target === document.body);
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!isArrow && !Object.hasOwn(keys, key)) return;
    event.preventDefault();
    if (isArrow) arrow(event.key, event.shiftKey);
    else keys[key]();
  });
}
