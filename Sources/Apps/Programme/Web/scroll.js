// The reader's position: how far the list was scrolled, and which event was open. A phone discards a page while its
// reader follows a link or uses another app; coming back restores it. The choice is in the address; the rest is stored
// here.

import { keep, recall, forget } from '/keep.js';
import { roomHere } from '/room-choice.js';
import { settleAddress, readChoice, wholeYear } from '/programme/choice.js';
import { linkOf, placeInPage, shown, travel } from '/programme/route.js';

const NAME = 'place';
const FRESH = 15 * 60_000; // milliseconds: an installed app that is opened later begins with the sign

const installed = () => matchMedia('(display-mode: standalone)').matches || navigator.standalone === true;

/** That of /scrolled.js, which comes late: nothing is gone to on a first visit. */
export const whileGrowing = (act, grown) => import('/scrolled.js')
  .then((scrolled) => scrolled.whileGrowing(act, grown)).catch(act);

let list = { link: null, offset: 0, y: 0 };
let detail = 0;
let reveal = (link) => document.getElementById(link);
let waiting = null; // the position to restore once the list exists

/** The first visible row, and its offset, since heights above it may change. */
function present() {
  const course = document.querySelector('space-programme')?.getBoundingClientRect();
  if (scrollY < 8 || !course) return { link: null, offset: 0, y: scrollY };
  for (let y = 8; y < innerHeight; y += 24) {
    const link = document.elementFromPoint(course.left + course.width / 2, y)?.closest('.event-row, .event-again');
    if (link) return { link: link.id, offset: link.getBoundingClientRect().top, y: scrollY };
  }
  return { link: null, offset: 0, y: scrollY };
}

function goTo({ link, offset, y }) {
  const row = link && reveal(link);
  if (!row) {
    scrollTo(0, y);
    return;
  }
  scrollTo(0, y);
  // Rows are laid out when they come near, and may be higher than estimated.
  for (let round = 0; round < 3; round += 1) scrollBy(0, row.getBoundingClientRect().top - offset);
}

function note() {
  if (shown.peek() === null) list = present();
  else detail = scrollY;
}

function save() {
  settleAddress();
  note();
  const place = {
    list, detail, whole: wholeYear.peek(), address: placeInPage(), at: Date.now(),
  };
  try {
    sessionStorage.setItem(NAME, JSON.stringify({ ...kept(), [view()]: place }));
  } catch { // no storage: only the position is lost
  }
  if (installed()) keep(NAME, place);
}

/** The list of this page, which is shorter beside a sign than on the programme's own, or the event of any list. */
const view = () => (shown.peek() === null ? roomHere : 'event');

/** The places of this tab by view; null if it is new. */
const kept = () => {
  try {
    return JSON.parse(sessionStorage.getItem(NAME));
  } catch {
    return null;
  }
};

/** To be called when the list can be scrolled; `find(link)` makes its row and returns it. */
export function restorePlace(find) {
  reveal = find;
  if (!waiting) return;
  const place = waiting;
  waiting = null;
  if (!place.list.y && !place.detail) return; // a page begins at its top
  setTimeout(() => whileGrowing(() => (shown.peek() === null ? goTo(place.list) : scrollTo(0, place.detail))));
}

/** Opens an earlier address as if by navigation: first the list, then the event. */
async function openAgain(address) {
  const [query, hash] = address.split('#');
  history.replaceState(null, '', location.pathname + query);
  readChoice(query);
  if (!hash) return;
  const arrived = new Promise((resolve) => { addEventListener('hashchange', () => resolve(), { once: true }); });
  location.hash = hash;
  await arrived;
}

/** Restores the position, and stores it from now on. Called once, before the list is made. */
export async function followPlace() {
  const places = kept();
  let place = places?.[view()] ?? places?.[roomHere];
  if (place && place.address !== placeInPage()) {
    list = place.list; // another address in the same tab: the list behind it keeps its position
    place = null;
  } else if (!places && installed() && !placeInPage()) {
    const before = await recall(NAME);
    if (before && Date.now() - before.at < FRESH) place = before.body;
    else forget(NAME);
    if (place?.address) await openAgain(place.address);
  }
  if (place) {
    list = place.list;
    wholeYear.set(place.whole);
    waiting = place;
  }
  travel.away = (before) => {
    if (before === null) list = { ...present(), opened: document.activeElement?.id };
  };
  travel.arrived = (before, next) => {
    if (next !== null) {
      scrollTo(0, 0);
      return;
    }
    goTo(list);
    (document.getElementById(list.opened || linkOf(before)) ?? document.getElementById(linkOf(before)))
      ?.focus({ preventScroll: true });
  };
  addEventListener('pagehide', save);
  // Safari keeps a page that is left, but not its position, since the browser is not to scroll here.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) goTo(shown.peek() === null ? list : { y: detail });
  });
  addEventListener('visibilitychange', () => { if (document.hidden) save(); });
}
