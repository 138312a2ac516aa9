// This browser's subscription at its push service. The browser asks its reader only after a press.

import { signal } from '/ui.js';
import { HubError } from '/keep.js';
import { change, load } from '/session.js';
import { isMadeWith, bytesOf, pushObstacle } from '/bells/push-plan.js';

const ADDRESS = '/api/v1/bells/webpush';
const WORKER_LIMIT = 10_000; // milliseconds until the service worker is there, with a good connection

/** What stands in the way of being rung here; see push-plan.js. */
export const obstacle = signal(undefined);
/** True if this browser has a subscription, false if not; undefined until known. */
export const isSubscribed = signal(undefined);

function look() {
  obstacle.set(pushObstacle({
    location, userAgent: navigator.userAgent, maxTouchPoints: navigator.maxTouchPoints,
    isStandalone: matchMedia('(display-mode: standalone)').matches || navigator.standalone === true, canPrompt: false,
    hasWorker: 'serviceWorker' in navigator, hasPush: 'PushManager' in window,
    hasNotification: 'Notification' in window, permission: globalThis.Notification?.permission,
  }));
}

/** The service worker's registration. Throws if there is none: with a certificate accepted by hand there is not. */
async function registration() {
  const late = new Promise((_, reject) => { setTimeout(reject, WORKER_LIMIT, new Error('No service worker')); });
  return Promise.race([navigator.serviceWorker.ready, late]);
}

export async function lookAtPush() {
  look();
  if (obstacle.peek()) return isSubscribed.set(false);
  try {
    isSubscribed.set(Boolean(await (await registration()).pushManager.getSubscription()));
  } catch {
    isSubscribed.set(false);
  }
}

/** The browser does not reach its push service, or has none: not the hub's fault. */
export class NoPushService extends Error {}

/**
 * Asks the reader, subscribes, and tells the hub with what is in `more`. Returns the hub's answer; null if the reader
 * does not allow it.
 */
export async function subscribe(more = {}) {
  const permission = await Notification.requestPermission();
  look();
  if (permission !== 'granted') return null;
  const [{ pushManager }, { key }] = await Promise.all([registration(), load(ADDRESS)]);
  let mine = await pushManager.getSubscription();
  if (mine && !isMadeWith(mine.options?.applicationServerKey, key)) {
    await mine.unsubscribe();
    mine = null;
  }
  try {
    mine ??= await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) });
  } catch (error) {
    throw new NoPushService(error.message);
  }
  const { endpoint, keys } = mine.toJSON();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const answer = await change('PUT', ADDRESS, { subscription: { endpoint, keys }, zone, ...more });
  isSubscribed.set(true);
  return answer ?? {};
}

/** Ends it, here and on the hub; a stranger proves by the secret whose it is. */
export async function unsubscribe(secret) {
  try {
    await change('DELETE', ADDRESS, secret ? { secret } : undefined);
  } catch (error) {
    if (!(error instanceof HubError) || error.status !== 404) throw error; // it is gone already
  }
  const mine = await (await registration()).pushManager.getSubscription();
  await mine?.unsubscribe();
  isSubscribed.set(false);
}
