// Opens a page composed of rooms' parts: first the main content, then, after the first paint, the controls, then the
// content below.

import { effect } from '/ui.js';
import { refreshAppearance } from '/appearance.js';
import { HubError } from '/keep.js';
import { line, live, onNews, startLive, subject, tellUsable } from '/live.js';
import { fetchRules } from '/moments.js';
import { keepPages, lookForUpdate } from '/offline.js';
import { place } from '/place.js';
import { followRooms } from '/room-choice.js';
import { rooms } from '/rooms.js';
import { language } from '/shell-words.js';

/** Starts loading a module that is needed soon. */
function preload(address) {
  const link = document.createElement('link');
  Object.assign(link, { rel: 'modulepreload', href: address });
  document.head.append(link);
}

/** Waits for the next frame; a hidden page draws none, and continues without. */
const painted = () => new Promise((resolve) => {
  setTimeout(resolve, 200);
  requestAnimationFrame(() => setTimeout(resolve));
});

/** The place, for a page of which no room tells more of it. */
function followPlace() {
  const known = subject('place', () => '/api/v1/place', {
    value: place,
    isTold: false,
    failed: (error) => { if (error instanceof HubError && error.status === 404) place.set(null); },
  });
  known.remember();
  for (const name of ['line', 'settings']) onNews(name, () => { known.refresh(); });
}

/**
 * `parts` are the exports of the rooms' first modules by the rooms' ids, and may each have: `begin()`, which reads the
 * address; `start()`, resolved when there is something to read; `prepare()`, resolved when the later parts may be made;
 * and `ready()`, resolved when they can be drawn without layout shifts. One that sets /place.js itself says
 * `tellsPlace`. `later` and `last` load the rest; the address of `later` is `laterAt`.
 */
export async function open(parts, { laterAt, later, last }) {
  const all = (name) => Promise.all(rooms.map(({ id }) => parts[id]?.[name]?.()));
  document.documentElement.lang = language;
  all('begin');
  if (!rooms.some(({ id }) => parts[id]?.tellsPlace)) followPlace();
  startLive();
  await all('start');
  await painted();
  // The first content is on the screen, or the hub gave none: now the rest may use the network.
  preload(laterAt);
  const rules = fetchRules();
  await all('prepare');
  await Promise.all([rules, all('ready')]);
  await later();
  document.body.toggleAttribute('data-there', true);
  await painted();
  tellUsable();
  followRooms(live);
  await last();
  effect(() => { if (place()) refreshAppearance(); }); // its name, colour or logo may have changed
  await keepPages();
  effect(() => { if (line() === 'live') lookForUpdate(); });
}
