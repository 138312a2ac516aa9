// The rooms on the hub's own pages: they tell what rings now. bin/pack-web makes /rooms-ring.js of the modules that the
// rooms name as `rings`. Somebody is signed in (/navigation.js), so that there is something to tell.

import { startLive, tellUsable } from '/live.js';
import '/rooms-ring.js';

if (startLive()) tellUsable(); // else the page that has begun it tells so by itself
