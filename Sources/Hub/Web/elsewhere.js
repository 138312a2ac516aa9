// What pages that are no room's do for somebody who is signed in (/navigation.js), and rooms' pages that are not about
// what rings: they tell what rings now, and know the hub's time zone where no part of the page tells the place.
// bin/pack-web makes /rooms-ring.js of the modules that the rooms name as `rings`.

import { followPlace, startLive, tellUsable } from '/live.js';
import '/rooms-ring.js';

if (startLive()) tellUsable(); // else the page that has begun it tells so by itself
if (!document.querySelector('.course')) followPlace();
