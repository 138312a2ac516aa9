// What every page has, and what that stands on: one file for all of them (bin/packing/join.py).

import '/navigation.js';
import '/offline.js';
import '/explain.js';
