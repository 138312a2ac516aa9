// The screen stays on while this page watches.

import { signal } from '/ui.js';

/** True if the browser does not keep the screen on: without HTTPS, low on power, or an old one. */
export const isRefused = signal(false);

let lock = null;
let asking = null;

async function ask() {
  try {
    lock = await navigator.wakeLock.request('screen');
    isRefused.set(false);
  } catch {
    isRefused.set(!document.hidden);
  } finally {
    asking = null;
  }
}

/** Asks for it, also again when the page is seen again: the browser has taken it back when it was hidden. */
export function stayAwake() {
  if (document.hidden || (lock && !lock.released)) return;
  asking ??= ask();
}

export function sleep() {
  lock?.release();
  lock = null;
}
