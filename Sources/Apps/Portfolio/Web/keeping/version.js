// The version of the pages on this device: the names of the caches that the service worker filled with them.

const OURS = /^eightbells-(?:room-portfolio|pages)-[0-9a-f]+/;

/** The version of the pages by the caches' names; '' if none is kept. Pure. */
export const versionOf = (names) => names.filter((name) => OURS.test(name) && !name.endsWith('-coming')).sort().join();

/** The same, now. */
export async function pagesNow() {
  try {
    return versionOf(await caches.keys());
  } catch {
    return ''; // no HTTPS
  }
}
