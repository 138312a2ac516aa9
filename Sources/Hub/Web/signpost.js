// For the pages about missing addresses and a missing network: they contain all languages, to be readable without a
// script; this removes all but the reader's own.

import '/navigation.js';
import { keepPages } from '/offline.js';
import { language } from '/shell-words.js';

for (const section of document.querySelectorAll('main [lang]')) section.hidden = section.lang !== language;
document.title = [document.querySelector('main section:not([hidden]) h1').textContent, 'Eightbells'].join(' · ');
keepPages();

const AGAIN = 30_000; // milliseconds between two looks whether the hub is back

if (document.querySelector('[data-offline]')) {
  const look = async () => {
    if (document.hidden) return;
    // Not by GET, which the service worker would answer, and of a file that a hub has: a web server before it may
    // answer 404 while it starts.
    const answer = await fetch('/sw.js', { method: 'HEAD', cache: 'no-store' }).catch(() => null);
    if (answer?.ok) location.reload();
  };
  setInterval(look, AGAIN);
  for (const name of ['online', 'visibilitychange']) addEventListener(name, look);
}
