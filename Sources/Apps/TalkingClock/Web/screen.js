// Keeps the screen on while the clock fills it, if that is wished.

import { effect, signal } from '/ui.js';
import { here } from '/clock/here.js';

const isWanted = signal(false);
let lock = null;

async function take() {
  if (lock || document.hidden || !isWanted.peek() || !here.peek().awake) return;
  try {
    lock = await navigator.wakeLock?.request('screen') ?? null;
    lock?.addEventListener('release', () => { lock = null; }); // the browser takes it back when the page is hidden
  } catch { // low on power, or without HTTPS: the screen goes as it always does
  }
}

let hasBegun = false;

/** The clock fills the screen, or no longer. */
export function screenOn(on) {
  isWanted.set(on);
  if (hasBegun) return;
  hasBegun = true;
  addEventListener('visibilitychange', take);
  effect(() => {
    if (isWanted() && here().awake) take();
    else lock?.release();
  });
}
