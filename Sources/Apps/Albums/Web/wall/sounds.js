// The recorded sounds of pictures on the wall. Browsers let a page be heard after somebody has touched it once; a kiosk
// may be told to allow it at once (Chromium: --autoplay-policy=no-user-gesture-required).

import { signal } from '/ui.js';

/** {play(url), stop(), ask(), allow(), isAsking}: `isAsking` is a signal that is true while a touch is needed. */
export function sounds() {
  const audio = new Audio();
  const isAsking = signal(false);
  const play = async (url) => {
    audio.src = url;
    try {
      await audio.play();
      isAsking.set(false);
    } catch (error) {
      if (error.name === 'NotAllowedError') isAsking.set(true);
    }
  };
  /** What is heard ends, and is not heard later either. */
  const stop = () => {
    audio.pause();
    audio.removeAttribute('src');
  };
  /** Finds out whether this page may be heard, before there is a sound. */
  const ask = () => {
    try {
      const context = new AudioContext();
      const told = () => isAsking.set(context.state === 'suspended' && !navigator.userActivation?.hasBeenActive);
      context.onstatechange = told;
      told();
    } catch { // the first sound tells it
    }
  };
  /** Called by a touch: the sound that was waited for is heard, and those that come. */
  const allow = () => {
    if (!isAsking.peek()) return;
    isAsking.set(false);
    if (audio.src) audio.play().catch(() => {});
  };
  return { play, stop, ask, allow, isAsking };
}
