// Finds out what this browser needs to be rung while no page is open. Pure: the browser's properties are passed in.

import { installation } from '/platform.js';

/**
 * The obstacle to being rung: 'insecure' (no HTTPS), 'iphone' (the page must be on the home screen), 'iphone-other' (in
 * Safari first), 'unsupported', 'blocked' (the reader has forbidden it); null if the browser can be asked.
 */
export function pushObstacle({ hasWorker, hasPush, hasNotification, permission, ...device }) {
  const way = installation(device);
  if (way === 'insecure') return 'insecure';
  if (way === 'iphone' || way === 'iphone-other') return way;
  if (!hasWorker || !hasPush || !hasNotification) return 'unsupported';
  return permission === 'denied' ? 'blocked' : null;
}

/** The place in which a blocked permission is changed: 'iphone', 'android', 'firefox', 'safari' or 'chromium'. */
export function settingsOf(userAgent, maxTouchPoints = 0) {
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) return 'iphone';
  if (/Android/.test(userAgent)) return 'android';
  if (/Firefox\//.test(userAgent)) return 'firefox';
  return /Safari\//.test(userAgent) && !/Chrom(e|ium)\//.test(userAgent) ? 'safari' : 'chromium';
}

/** The bytes of base64url. */
export const bytesOf = (text) => Uint8Array.from(
  atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

/** True if a subscription was made with this key; another one is of no use to the hub. */
export function isMadeWith(buffer, key) {
  if (!buffer) return false;
  const [one, other] = [new Uint8Array(buffer), bytesOf(key)];
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
