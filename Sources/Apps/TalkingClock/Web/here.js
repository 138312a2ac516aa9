// The choices for this browser alone: if the page speaks, how loud, if the screen stays on.

import { signal } from '/ui.js';

const KEPT = 'eightbells-clock-here';
const LAST = 'eightbells-clock-last';
const USUAL = { on: false, volume: 80, awake: true };

function kept() {
  try {
    return { ...USUAL, ...JSON.parse(localStorage.getItem(KEPT) ?? '{}') };
  } catch { // no storage, or nothing valid in it
    return USUAL;
  }
}

export const here = signal(kept());

export function chooseHere(changed) {
  here.set({ ...here.peek(), ...changed });
  try {
    localStorage.setItem(KEPT, JSON.stringify(here.peek()));
  } catch { // no storage: it stays so until the page is closed
  }
}

// Another tab has chosen.
addEventListener('storage', ({ key }) => { if (key === KEPT) here.set(kept()); });

/** The instant of the last announcement that a page of this browser has begun: one that is loaded anew omits it. */
export function lastSpoken(now) {
  try {
    const last = Number(localStorage.getItem(LAST));
    return last > now + 60 ? 0 : last; // the clock was set back
  } catch {
    return 0;
  }
}

export function noteSpoken(at) {
  try {
    localStorage.setItem(LAST, String(at));
  } catch { // no storage
  }
}
