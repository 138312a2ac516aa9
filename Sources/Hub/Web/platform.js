// What this page runs on: what the device and the way it was opened allow, and how it can be installed. Pure: what is
// asked of the browser is passed in.

const LOCAL = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Whether browsers trust the address enough for service workers, passkeys, push and the place. */
export const isTrusted = ({ protocol, hostname }) => protocol === 'https:' || LOCAL.test(hostname);

/**
 * How the page can be installed: 'installed', 'prompt' (the browser has offered to), 'iphone' (by hand, in Safari),
 * 'iphone-other' (by hand, after opening it in Safari), 'insecure' (not over plain HTTP), or null (no way that we
 * know).
 */
export function installation({ location, userAgent, maxTouchPoints = 0, isStandalone, canPrompt }) {
  if (isStandalone) return 'installed';
  if (!isTrusted(location)) return 'insecure';
  if (canPrompt) return 'prompt';
  // An iPad says that it is a Mac, but no Mac has a touch screen.
  const isApple = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  if (!isApple) return null;
  return /CriOS|FxiOS|EdgiOS|OPiOS|DuckDuckGo|GSA\//.test(userAgent) || !/Safari\//.test(userAgent)
    ? 'iphone-other' : 'iphone';
}

/** What this browser lacks of what Docs/browsers.md counts on. */
export const lacking = (scope = globalThis) => [
  ['customElements', () => scope.customElements?.define],
  ['indexedDB', () => scope.indexedDB],
  ['dialog', () => scope.HTMLDialogElement?.prototype?.showModal],
  ['timeout', () => scope.AbortSignal?.timeout],
  ['mixed colours', () => scope.CSS?.supports?.('color', 'color-mix(in srgb, red, blue)')],
].filter(([, has]) => !has()).map(([name]) => name);
