// For the pages about missing addresses and a missing network: they contain all languages, to be readable without a
// script; this removes all but the reader's own.

import '/navigation.js';
import { keepPages } from '/offline.js';
import { language } from '/shell-words.js';

for (const section of document.querySelectorAll('main [lang]')) section.hidden = section.lang !== language;
document.title = [document.querySelector('main section:not([hidden]) h1').textContent, 'Eightbells'].join(' · ');
keepPages();
