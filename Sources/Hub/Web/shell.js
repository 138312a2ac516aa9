// The parts that every page has, with their imports: one file for all pages (bin/packing/join.py).

import '/statuses.js';
import '/navigation.js';
import '/offline.js';
import '/explain.js';
import { language } from '/shell-words.js';

document.documentElement.lang = language;
// Whoever neither scrolls nor comes back to a place far down does without it.
const follow = () => import('/scrolled.js').then(({ followScrolling }) => followScrolling(), () => {});
if (history.state?.y) follow();
else addEventListener('scroll', follow, { once: true });
