// The screen stays on while there is a reason: a phone that locks itself freezes its pages. Without HTTPS browsers do
// not offer it.

import { signal } from '/ui.js';

/** True if the browser does not keep the screen on: without HTTPS, low on power, or an old one. */
export const isRefused = signal(false);

/** Before iOS 18.4, which brought `cookieStore`, an app on the home screen is granted it, and the screen goes off. */
const isVain = () => navigator.standalone === true && !globalThis.cookieStore;

let lock = null;
let asking = null;
const reasons = new Set();

async function ask() {
  try {
    lock = await navigator.wakeLock.request('screen');
    isRefused.set(isVain());
    if (reasons.size === 0) release();
  } catch {
    isRefused.set(!document.hidden);
  } finally {
    asking = null;
  }
}

function release() {
  lock?.release();
  lock = null;
}

function hold() {
  if (reasons.size > 0 && !document.hidden && (!lock || lock.released)) asking ??= ask();
}

/** Keeps the screen on for a reason, until it is over. */
export function stayAwake(reason, isOn) {
  if (isOn) reasons.add(reason);
  else reasons.delete(reason);
  if (reasons.size > 0) hold();
  else release();
}

globalThis.document?.addEventListener('visibilitychange', hold); // the browser takes it back from a hidden page
// Apple's browsers refuse it to a page that nobody has touched yet. A finger counts when it is lifted.
for (const name of ['touchend', 'click', 'keydown']) globalThis.document?.addEventListener(name, hold, true);
