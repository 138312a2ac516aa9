// Keeps the screen on while the clock fills it, if that is wished.

import { effect, signal } from '/ui.js';
import { stayAwake } from '/awake.js';
import { here } from '/clock/here.js';

const isWanted = signal(false);
let hasBegun = false;

/** The clock fills the screen, or no longer. */
export function screenOn(on) {
  isWanted.set(on);
  if (hasBegun) return;
  hasBegun = true;
  effect(() => stayAwake('clock', isWanted() && here().awake));
}
