// The shell's own part of a front room, which comes last. Its checklist includes the steps of rooms: bin/pack-web makes
// /rooms-checklist.js of the modules that they name.

import '/checklist.js';
import '/hints.js';
import '/watch.js';
import '/rooms-checklist.js';
