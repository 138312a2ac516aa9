// Keeps the pages themselves on this device, and changes to a new version of them when nobody is in the middle of
// anything.

const QUIET = 60_000; // milliseconds without a touch after which a page that is open all day may reload itself

let touched = Date.now();
let registration;

const FIELDS = 'input, textarea, select';
// A box is ticked again in a moment, and a search stands in the address.
const TYPED = 'textarea, input:not([type=checkbox], [type=radio], [type=search])';
const typedIn = new Set();

/** Whether a reload would take something away: a question, a secret that is shown once, what somebody has typed. */
function isHeld() {
  for (const field of typedIn) if (!field.isConnected || !field.value) typedIn.delete(field);
  return typedIn.size > 0 || document.querySelector('dialog[open], .link-panel') !== null
    || (document.activeElement?.matches(FIELDS) ?? false);
}

const quiet = () => !isHeld() && (document.hidden || Date.now() - touched > QUIET);

/** Runs `act` as soon as the reader will not notice. */
export function whenQuiet(act) {
  if (quiet()) {
    act();
    return;
  }
  const timer = setInterval(() => {
    if (!quiet()) return;
    clearInterval(timer);
    act();
  }, 5_000);
}

/** Looks for a new version of the pages: after each reconnect, since a hub that was updated was also restarted. */
export const lookForUpdate = () => registration?.update().catch(() => {}); // no network: the next reconnect asks again

/**
 * Registers the service worker: every page calls it, since any of them may be the first that somebody opens. Without
 * HTTPS (or localhost) browsers have none, and the pages work while online only.
 */
export async function keepPages() {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  for (const name of ['pointerdown', 'keydown', 'scroll']) {
    addEventListener(name, () => { touched = Date.now(); }, { passive: true });
  }
  // While it is caught on its way down, since some fields keep what happens in them from the form around them.
  addEventListener('input', ({ target }) => {
    if (target.matches?.(TYPED)) typedIn.add(target);
  }, { capture: true, passive: true });
  let controller = workers.controller;
  workers.addEventListener('controllerchange', () => {
    const replaced = controller !== null; // the very first worker takes over a page that is as new as itself
    controller = workers.controller;
    if (replaced) whenQuiet(() => location.reload());
  });
  try {
    registration = await workers.register('/sw.js', { updateViaCache: 'none' });
  } catch {
    return; // a certificate that the reader has waved through: nothing is kept
  }
  const offer = () => {
    if (registration.waiting && workers.controller) whenQuiet(() => registration.waiting?.postMessage('take over'));
  };
  offer();
  // A page that was loaded while the worker began, or past it (Shift and reload), is nobody's: it asks to be taken.
  workers.ready.then(({ active }) => {
    if (!workers.controller) active.postMessage('take this page');
  });
  registration.addEventListener('updatefound', () => {
    registration.installing?.addEventListener('statechange', offer);
  });
}
