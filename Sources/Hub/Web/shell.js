// The parts that every page has, with their imports: one file for all pages (bin/packing/join.py).

import '/statuses.js';
import '/navigation.js';
import '/offline.js';
import '/explain.js';
import { language } from '/shell-words.js';

document.documentElement.lang = language;
// Whoever neither scrolls nor comes back to a place far down does without it.
const followScrolling = () => import('/scrolled.js').then((scrolled) => scrolled.followScrolling()).catch(() => {});
if (history.state?.y) followScrolling();
else addEventListener('scroll', followScrolling, { once: true });
