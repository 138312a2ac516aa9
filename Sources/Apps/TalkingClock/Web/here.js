// The choices for this browser alone: if the page speaks, how loud, if the screen stays on.

import { signal } from '/ui.js';
import { remember, remembered } from '/keep.js';

const KEPT = 'eightbells-clock-here';
const LAST = 'eightbells-clock-last';
const USUAL = { on: false, volume: 80, awake: true };

const kept = () => ({ ...USUAL, ...remembered(KEPT) });

export const here = signal(kept());

export function chooseHere(changed) {
  here.set({ ...here.peek(), ...changed });
  remember(KEPT, here.peek());
}

// Another tab has chosen.
addEventListener('storage', ({ key }) => { if (key === KEPT) here.set(kept()); });

/** The instant of the last announcement that a page of this browser has begun: one that is loaded anew omits it. */
export function lastSpoken(now) {
  const last = remembered(LAST) ?? 0;
  return last > now + 60 ? 0 : last; // the clock was set back
}

export const noteSpoken = (at) => remember(LAST, at);
