// The page of the room: the list of notifications and the settings beside it, or at /bells/ID the way of one of them.

import { insist } from '/done.js';
import { computed, effect, element, html, signal } from '/ui.js';
import { beginPage } from '/navigation.js';
import { followPlace, startLive, tellUsable } from '/live.js';
import { isInside, isSessionKnown } from '/session.js';
import { failure, followBells, isKnown, unread } from '/bells/model.js';
import { tellOthers } from '/bells/state.js';
import { beside, bringBeside } from '/bells/late.js';
import { find, inbox } from '/bells/list.js';
import { offeredOutside, watchForKeys } from '/bells/offered.js';
import { fetchRules } from '/bells/rules.js';
import { words } from '/bells/words.js';

const shown = /^\/bells\/([1-9]\d*)$/.exec(location.pathname)?.[1];

/** Until the hub has said who looks, on a device that nobody was signed in on. */
const asking = () => html`<section class="card"><h1>${words.title}</h1><p class="quiet">${words.asking}</p></section>`;

const signedOut = () => html`<section class="card for-owners">
  <h1>${words.title}</h1><p>${words.outText}</p>${offeredOutside}
  <p class="row"><a class="button primary" href="/join">${words.signIn}</a></p></section>`;

function signedIn() {
  if (shown) {
    fetchRules();
    const why = signal(null);
    insist(() => import('/bells/why.js')).then(({ whyPage }) => why.set(whyPage));
    return html`${() => why()?.(shown) ?? ''}`;
  }
  // What comes beside and below the list comes when it is there, and so does not move it.
  const isListed = computed(() => isKnown() || failure() !== null);
  effect(() => { if (isListed()) requestAnimationFrame(() => setTimeout(bringBeside)); });
  effect(() => { if (beside()) setTimeout(find); }); // the address may name a card
  return html`<div class="bells-two">${inbox()}${() => beside()?.aside() ?? ''}</div>${() =>
    beside()?.devicesCard() ?? ''}${() => beside()?.arrivals() ?? ''}`;
}

element('bells-page', () => {
  beginPage(() => `${shown ? words.whyTitle : words.title}${unread() ? ` (${unread()})` : ''}`);
  watchForKeys();
  followBells();
  tellOthers();
  startLive();
  followPlace();
  tellUsable();
  return html`${() => {
    if (!isSessionKnown() && !isInside()) return asking();
    return isInside() ? signedIn() : signedOut();
  }}`;
});
