// What the shell itself has on a front room, whichever that is: it comes last. Its checklist has steps of rooms, too:
// bin/pack-web makes /rooms-checklist.js of the modules that they name.

import '/checklist.js';
import '/hints.js';
import '/watch.js';
import '/rooms-checklist.js';
