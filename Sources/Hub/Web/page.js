// Opens a page composed of rooms' parts: first what is read first, then, after the first paint, the controls, then the
// content below.

import { insist } from '/done.js';
import { effect, styled } from '/ui.js';
import { refreshAppearance } from '/appearance.js';
import { detailTitle } from '/detail.js';
import { followPlace, line, live, startLive, tellUsable } from '/live.js';
import { fetchRules } from '/moments.js';
import { keepPages, lookForUpdate } from '/offline.js';
import { place } from '/place.js';
import { followRooms, refreshRooms, roomHere } from '/room-choice.js';
import { rooms } from '/rooms.js';

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

/** The window's title, unless a part of the page tells more of the place in its heading. */
function followTitle() {
  if (document.querySelector('main h1')) return;
  effect(() => { if (place()) document.title = [detailTitle(), place().name].filter(Boolean).join(' · '); });
}

/**
 * `parts` are the exports of the rooms' first modules by the rooms' ids, and may each have: `begin()`, which reads the
 * address; `start()`, resolved when there is something to read; `prepare()`, resolved when the later parts may be made;
 * `ready()`, resolved when they can be drawn without layout shifts; and `whole()`, resolved when they grow no more. One
 * that sets /place.js itself says `tellsPlace`. `later` and `last` load the rest: the addresses that `later` needs are
 * `laterAt`, the style sheet of `last` is `styleAt`.
 *
 * `main` loads the main content of rooms. On a room's own page it is read first, if the room's `leads()` says that this
 * address shows it: it needs no more than this, and the later parts come behind it.
 */
export async function open(parts, { main, laterAt, later, styleAt, last }) {
  const all = (name) => Promise.all(rooms.map(({ id }) => parts[id]?.[name]?.()));
  const show = () => document.body.toggleAttribute('data-there', true);
  const prepare = async () => {
    const rules = fetchRules();
    await all('prepare');
    await Promise.all([rules, all('ready')]);
  };
  const lead = async () => {
    await prepare();
    await insist(main[roomHere]);
    show();
  };
  all('begin');
  if (!rooms.some(({ id }) => parts[id]?.tellsPlace)) followPlace();
  followTitle();
  startLive();
  const leads = Boolean(main[roomHere] && parts[roomHere].leads?.());
  await Promise.all([all('start'), leads && lead()]);
  await painted();
  // The first content is on the screen, or the hub gave none: now the rest may use the network.
  laterAt.forEach(preload);
  if (!leads) await prepare();
  await insist(later);
  show();
  await painted();
  tellUsable();
  followRooms(live);
  await Promise.all([styled(styleAt), all('whole')]);
  document.body.toggleAttribute('data-whole', true);
  refreshAppearance();
  refreshRooms();
  await insist(last);
  effect(() => { if (place()) refreshAppearance(); }); // its name, colour or logo may have changed
  await keepPages();
  effect(() => { if (line() === 'live') lookForUpdate(); });
}
