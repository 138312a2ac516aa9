// The reader's choices on this device: how pictures are shown, and how they are kept.

import { effect, signal } from '/ui.js';
import { remember, remembered } from '/keep.js';

const KEY = 'portfolio';
const DEFAULTS = {
  isKept: true, // pictures are kept in the background
  isMobileToo: false, // also on mobile data
  first: [], // the galleries kept first, as 'portfolio/gallery'
  shows: ['title', 'caption', 'place', 'date'], // beneath a picture
  seconds: 6, // of a picture in a slide show
  only: '', // the portfolio that the wall shows alone
  checked: '', // the version of the pages in which all that is kept was counted and hashed last
};

/** The stored choices, with defaults for those that are missing or of another kind. Pure. */
export function settingsOf(stored) {
  const found = { ...DEFAULTS };
  for (const [name, usual] of Object.entries(DEFAULTS)) {
    const value = stored?.[name];
    if (typeof value === typeof usual && Array.isArray(value) === Array.isArray(usual)) found[name] = value;
  }
  return found;
}

export const settings = signal(settingsOf(remembered(KEY)));

/** Changes some of them. */
export function choose(changes) { settings.set({ ...settings.peek(), ...changes }); }

/** Stores every change from now on. What another tab chooses is so in this one too, but for what the wall shows. */
export const keepSettings = () => {
  addEventListener('storage', ({ key }) => {
    if (key !== KEY) return;
    const now = { ...settingsOf(remembered(KEY)), only: settings.peek().only };
    if (JSON.stringify(now) !== JSON.stringify(settings.peek())) settings.set(now); // else two tabs answer for ever
  });
  effect(() => remember(KEY, settings()));
};
