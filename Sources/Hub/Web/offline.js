// Keeps the pages on this device, and updates them when nobody is in the middle of something.

const QUIET = 60_000; // milliseconds without input after which a page may reload itself
const REST = 4_000; // milliseconds after a page has loaded

let touched = Date.now();
let registration;

const FIELDS = 'input, textarea, select';
// Without boxes, which are quickly ticked again, and searches, which are in the address.
const TYPED = 'textarea, input:not([type=checkbox], [type=radio], [type=search])';
const typedIn = new Set();
const sent = new WeakSet(); // the forms in which nothing was typed since they were sent
const holds = new Set();
let isChoosing = false; // files, perhaps in an app of the phone that hides the page

/** Keeps the page while `test()` is true: only its room knows what a reload would take away. Returns what ends that. */
export function holding(test) {
  holds.add(test);
  return () => holds.delete(test);
}

const isHeldByRoom = () => [...holds].some((test) => test());

/** The fields with typed text. */
function typed() {
  for (const field of typedIn) if (!field.isConnected || !field.value) typedIn.delete(field);
  return [...typedIn];
}

/**
 * True if a page has what no reload brings back: a secret that is shown once, what a room keeps, or what it asks about
 * before it is left; the browser would put that question to somebody who did nothing.
 */
const isKept = () => document.querySelector('.link-panel') !== null || isHeldByRoom()
  || !dispatchEvent(new Event('beforeunload', { cancelable: true }));

/** True if a reload would take something away from somebody at the page: also a dialogue, typed text, or a choice. */
const isHeld = () => isChoosing || typed().length > 0 || document.querySelector('dialog[open]') !== null
  || (document.activeElement?.matches(FIELDS) ?? false) || isKept();

const quiet = () => !isHeld() && (document.hidden || Date.now() - touched > QUIET);

/**
 * Somebody goes back to a page. Safari has kept it as it was left, with what was true then, and with forms that are
 * still about to be sent; others load it anew, since it has a connection. So it is loaded anew, unless it has something
 * that was not sent, or nothing newer can be had.
 */
function comeBack() {
  if (!navigator.onLine || typed().some(({ form }) => !sent.has(form)) || isKept()) return;
  setTimeout(() => location.reload()); // WebKit may lose it while the way back is not over
}

/** Sets all fields with one `autocomplete` to another. */
function complete(from, to) {
  for (const field of document.querySelectorAll(`input[autocomplete=${from}]`)) field.autocomplete = to;
}

// From the page's first moments on; in the capture phase, since some fields stop the event from reaching their form.
addEventListener('input', ({ target }) => {
  sent.delete(target.form);
  if (target.matches?.(TYPED)) typedIn.add(target);
}, true);
addEventListener('submit', ({ target }) => sent.add(target), true);
addEventListener('click', ({ target }) => { if (target?.type === 'file') isChoosing = true; }, true);
// Older browsers do not tell that nothing was chosen.
for (const name of ['change', 'cancel', 'pointerdown']) addEventListener(name, () => { isChoosing = false; }, true);
// In a page that comes back, Safari empties each field whose `autocomplete` is off when it does.
addEventListener('pagehide', () => complete('off', 'on'));
addEventListener('pageshow', ({ persisted }) => {
  complete('on', 'off');
  if (persisted) comeBack();
});

/** Runs `act` when the reader will not notice. */
export function whenQuiet(act) {
  if (quiet()) return void act();
  const timer = setInterval(() => {
    if (!quiet()) return;
    clearInterval(timer);
    act();
  }, 5_000);
}

/** Checks for new pages: after each reconnect, since an updated hub was restarted. */
export const lookForUpdate = () => registration?.update().catch(() => {}); // tried again after a reconnect

let begin;
const asked = new Promise((resolve) => { begin = resolve; });

/** The service worker's registration, once it is active, for what cannot wait until the page rests. */
export function workerNow() {
  begin();
  return navigator.serviceWorker.ready;
}

/**
 * Resolved when the page rests. To store some fifty files takes nearly as much work as the first page itself (0.8 s
 * beside 1.0 s of a slow machine), which would have to share the network and a phone's processor with that.
 */
const resting = () => Promise.race([asked, new Promise((resolve) => {
  const wait = () => setTimeout(resolve, REST);
  if (document.readyState === 'complete') wait();
  else addEventListener('load', wait, { once: true });
})]);

/**
 * Registers the service worker. Every page calls it, since any may be the first one opened.
 * Without HTTPS (or localhost) browsers have no service workers, and the pages work only online.
 */
export async function keepPages() {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  for (const name of ['pointerdown', 'keydown', 'scroll']) {
    addEventListener(name, () => { touched = Date.now(); });
  }
  let controller = workers.controller;
  workers.addEventListener('controllerchange', () => {
    const replaced = controller !== null; // the first worker takes over a page of its own version
    controller = workers.controller;
    if (replaced) whenQuiet(() => location.reload());
  });
  if (!controller) await resting();
  try {
    registration = await workers.register('/sw.js', { updateViaCache: 'none' });
  } catch {
    return; // a certificate that the reader has accepted by hand: nothing is kept
  }
  const offer = () => {
    if (registration.waiting && workers.controller) whenQuiet(() => registration.waiting?.postMessage('take over'));
  };
  offer();
  // Whoever loads a page anew that a room keeps, or leaves it, gets the new one.
  addEventListener('pagehide', () => {
    if (isHeldByRoom()) registration.waiting?.postMessage('take over');
  });
  // A page loaded while the worker started, or bypassing it (Shift and reload), has no controller: it asks for one.
  workers.ready.then((ready) => { // perhaps none, if the page is being left
    if (!workers.controller) ready?.active?.postMessage('take this page');
  });
  // The page before this one may have found it, and storing it may take longer than that page was open.
  const follow = () => registration.installing?.addEventListener('statechange', offer);
  follow();
  registration.addEventListener('updatefound', follow);
}
