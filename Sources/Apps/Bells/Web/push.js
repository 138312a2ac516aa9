// This browser's subscription at its push service. The browser asks its reader only after a press.

import { effect, signal } from '/ui.js';
import { HubError, remember, remembered } from '/keep.js';
import { workerNow } from '/offline.js';
import { change, load, session } from '/session.js';
import { isMadeWith, bytesOf, pushObstacle } from '/bells/push-plan.js';

const ADDRESS = '/api/v1/bells/webpush';
const DEVICES = '/api/v1/bells/devices';
const TOLD = 'eightbells-push'; // {endpoint, device, zone, at}: what the hub has acknowledged, of which device, when
const AGAIN = 7 * 86_400_000; // milliseconds until it is told once more: it forgets strangers for whom nothing rang
const WORKER_LIMIT = 10_000; // milliseconds until the service worker is there, with a good connection

/** The obstacle to being rung here, see push-plan.js; undefined until known. */
export const obstacle = signal(undefined);
/** True if this browser has a subscription that the hub knows, false if not; undefined until known. */
export const isSubscribed = signal(undefined);

function look() {
  obstacle.set(pushObstacle({
    location, userAgent: navigator.userAgent, maxTouchPoints: navigator.maxTouchPoints,
    isStandalone: matchMedia('(display-mode: standalone)').matches || navigator.standalone === true, canPrompt: false,
    hasWorker: 'serviceWorker' in navigator, hasPush: 'PushManager' in window,
    hasNotification: 'Notification' in window, permission: globalThis.Notification?.permission,
  }));
}

/**
 * Not the hub's fault: `why` is 'noPushService' if the browser does not reach its own, or has none, and 'noWorker' if
 * it has not stored the page, as with a certificate accepted by hand.
 */
export class BrowserFault extends Error {
  constructor(why, message) {
    super(message);
    this.why = why;
  }
}

/** The service worker's registration. */
async function registration() {
  const fault = new BrowserFault('noWorker', 'no service worker');
  const late = new Promise((_, reject) => { setTimeout(reject, WORKER_LIMIT, fault); });
  return Promise.race([workerNow(), late]);
}

/** This browser's subscription; null, or undefined before the first visit is kept, if there is none. */
const current = async () => (await navigator.serviceWorker?.getRegistration())?.pushManager.getSubscription();

/** The number of this device on the hub; null for somebody who has not signed in. */
const here = () => session.peek()?.device?.id ?? null;

export async function lookAtPush() {
  look();
  if (obstacle.peek()) return isSubscribed.set(false);
  try {
    const mine = await current();
    isSubscribed.set(Boolean(mine) && mine.endpoint === remembered(TOLD)?.endpoint);
  } catch {
    isSubscribed.set(false);
  }
}

/** The zone in which this device is: quiet hours and local times go by its clock. */
const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Tells the hub of a subscription, with what is in `more`. Returns its answer. */
async function tell(mine, more) {
  const { endpoint, keys } = mine.toJSON();
  const zone = zoneHere();
  const answer = await change('PUT', ADDRESS, { subscription: { endpoint, keys }, zone, ...more });
  remember(TOLD, { endpoint, device: here(), zone, at: Date.now() }); // without storage a press tells the hub once more
  (await registration()).active?.postMessage('rings here'); // it keeps what the first push needs
  isSubscribed.set(true);
  return answer ?? {};
}

/**
 * This browser's subscription, with the hub's key; made anew if there is none, or none of use. `isGone` is true if its
 * push service has told the hub that it has ended.
 */
async function subscription(isGone) {
  const [{ pushManager }, { key }] = await Promise.all([registration(), load(ADDRESS)]);
  let mine = await pushManager.getSubscription();
  if (mine && (isGone || !isMadeWith(mine.options?.applicationServerKey, key))) {
    await mine.unsubscribe();
    mine = null;
  }
  try {
    return mine ?? await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) });
  } catch (error) {
    throw new BrowserFault('noPushService', error.message);
  }
}

/**
 * Tells the hub of a subscription that the browser has made anew, or lost, where the service worker could not, of the
 * zone into which somebody has travelled, and each week that it is still there. The reader, who has allowed it, is
 * asked nothing. Returns the hub's answer; null if there is nothing to tell.
 */
export async function tellRenewed(more = {}) {
  const known = remembered(TOLD);
  if (!known || known.device !== here() || globalThis.Notification?.permission !== 'granted') return null;
  const mine = await current();
  const isSame = mine?.endpoint === known.endpoint;
  const isRecent = Math.abs(Date.now() - known.at) < AGAIN;
  if (isSame && known.zone === zoneHere() && isRecent) return null;
  // What the page knows may be of somebody who has signed out here.
  const { device } = await load('/api/v1/session');
  if ((device?.id ?? null) !== known.device) return null;
  const listed = device && (await load(DEVICES)).find((one) => one.this);
  if (device && !listed) return null; // it was removed from the list
  return tell(await subscription(isSame && listed?.channels.includes('webpush') === false), more);
}

/**
 * Tells the hub that the reader has taken the permission back in the browser's settings: it would count on this device
 * until a push fails, which may be the alarm.
 */
async function tellRevoked() {
  const { permission } = globalThis.Notification ?? {};
  if (permission && permission !== 'granted' && remembered(TOLD)?.device === here()) await unsubscribe();
}

let hasLooked = false;
effect(() => {
  if (!session() || hasLooked) return;
  hasLooked = true;
  Promise.all([tellRenewed(), tellRevoked()]).catch(() => {}); // with the next page
});

/**
 * Asks the reader, subscribes, and tells the hub with what is in `more`. Returns the hub's answer; null if the reader
 * does not allow it.
 */
export async function subscribe(more = {}, isGone = false) {
  const permission = await Notification.requestPermission();
  look();
  if (permission !== 'granted') return null;
  return tell(await subscription(isGone), more);
}

/** Ends it, here and on the hub; a stranger proves by the secret whose it is. */
export async function unsubscribe(secret) {
  try {
    await change('DELETE', ADDRESS, secret ? { secret } : undefined);
  } catch (error) {
    if (!(error instanceof HubError) || error.status !== 404) throw error; // it is gone already
  }
  remember(TOLD, null);
  await (await current())?.unsubscribe();
  isSubscribed.set(false);
}
