// What all pages do for somebody who is signed in (/navigation.js): they tell what rings now, follow that person's
// role, and know the hub's time zone where no part of the page tells the place. bin/pack-web makes /rooms-ring.js of
// the modules that the rooms name as `rings`.

import { effect } from '/ui.js';
import { followPlace, live, startLive, tellUsable } from '/live.js';
import { refreshSession, session } from '/session.js';
import '/rooms-ring.js';

if (startLive()) tellUsable(); // else the page that has begun it tells so by itself

let followed = null;
let end = () => {};

effect(() => {
  const id = session()?.person?.id ?? null;
  if (id === followed) return;
  end();
  followed = id;
  const onevent = (name) => { if (name === 'person') refreshSession(); };
  // A device that was signed out meanwhile is refused.
  end = id === null ? () => {} : live.listen(`private-person-${id}`, { onevent, onrefused: refreshSession });
});

if (!document.querySelector('.course')) followPlace();
