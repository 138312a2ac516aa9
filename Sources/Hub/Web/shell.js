// The parts that every page has, with their imports: one file for all pages (bin/packing/join.py).

import '/statuses.js';
import '/navigation.js';
import '/offline.js';
import '/explain.js';
import '/required.js';
import { followScrolling } from '/scrolled.js';
import { language } from '/shell-words.js';

document.documentElement.lang = language;
followScrolling();
