// The pages for an address that leads nowhere, and for one that needs the hub: all languages stand in them, so that
// they can be read without a script; this leaves the reader's own.

import '/navigation.js';
import { keepPages } from '/offline.js';
import { language } from '/shell-words.js';

document.documentElement.lang = language;
for (const section of document.querySelectorAll('main [lang]')) section.hidden = section.lang !== language;
document.title = [document.querySelector('main section:not([hidden]) h1').textContent, 'Eightbells'].join(' · ');
keepPages();
