// The platform: features of the device and of the way in which the page was opened, and how to install it. Pure: the
// browser's properties are passed in.

const LOCAL = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** True if browsers treat the address as trustworthy, for service workers, passkeys, push and geolocation. */
export const isTrusted = ({ protocol, hostname }) => protocol === 'https:' || LOCAL.test(hostname);

/**
 * The way to install the page: 'installed', 'prompt' (the browser has offered to), 'iphone' (by hand, in Safari),
 * 'iphone-other' (by hand, after opening it in Safari), 'insecure' (not over plain HTTP), or null (no known way).
 */
export function installation({ location, userAgent, maxTouchPoints = 0, isStandalone, canPrompt }) {
  if (isStandalone) return 'installed';
  if (!isTrusted(location)) return 'insecure';
  if (canPrompt) return 'prompt';
  // An iPad claims to be a Mac, but no Mac has a touch screen.
  const isApple = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  if (!isApple) return null;
  return /CriOS|FxiOS|EdgiOS|OPiOS|DuckDuckGo|GSA\//.test(userAgent) || !/Safari\//.test(userAgent)
    ? 'iphone-other' : 'iphone';
}

/** True in the browser within another app, as Instagram's: nobody who signs in there is signed in anywhere else. */
export const isInApp = ({ userAgent, isStandalone }) => !isStandalone && (/; wv\)|\bFBAN\b/.test(userAgent)
  || (/iPhone|iPad|iPod/.test(userAgent) && !/Safari\//.test(userAgent)));
