// The screen in the room: what rooms put on it, and the way to the same on one's own phone. Nobody touches it, so it
// stays on by itself; a press fills it.

import { computed, element, html, signal } from '/ui.js';
import { appearance, recallAppearance, refreshAppearance } from '/appearance.js';
import { legalLinks } from '/legal.js';
import { pictureOf } from '/code-picture.js';
import { stayAwake } from '/awake.js';
import { live, onNews, startLive, subject, tellUsable } from '/live.js';
import { fetchRules } from '/moments.js';
import { keepPages, lookForUpdate } from '/offline.js';
import { ownAddress } from '/own-address.js';
import { now, place, zone } from '/place.js';
import { followRooms, refreshRooms, shownRooms } from '/room-choice.js';
import { refreshSession } from '/session.js';
import { civil, clock } from '/words.js';
import { words } from '/screen/words.js';
import { elements } from '/rooms-screen.js';

// A room may know more of the place, which stays.
const known = subject('place', () => '/api/v1/place', {
  value: place, isTold: false, take: (body, before) => ({ ...before, ...body }),
});
for (const name of ['line', 'settings']) onNews(name, () => { known.refresh(); });

function fill({ target }) {
  if (target.closest('a')) return;
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {});
}

element('hub-screen-parts', () => {
  fetchRules();
  refreshSession();
  keepPages();
  startLive();
  tellUsable();
  refreshRooms();
  followRooms(live);
  const shown = computed(() => shownRooms().map(({ id }) => elements[id]).filter(Boolean).join()); // equal: not redrawn
  return html`${() => shown().split(',').filter(Boolean).map((name) => document.createElement(name))}`;
});

element('hub-screen-foot', () => {
  const code = signal('');
  const host = signal(location.host);
  // With each connection: a screen may start before the hub, which knows its address, and nobody loads it anew.
  const refresh = () => {
    lookForUpdate();
    refreshAppearance();
    ownAddress().then((address) => {
      host.set(new URL(address).host);
      return pictureOf(`${address}/`);
    }).then(code.set).catch((error) => console.error(error));
  };
  stayAwake('screen', true);
  recallAppearance();
  refresh();
  onNews('line', refresh);
  document.querySelector('main').addEventListener('click', fill);
  return html`<p class="screen-clock">${() => clock(civil(now(), zone()))}</p>
    <div class="screen-name"><p>${() => place()?.name ?? ''}</p><p class="screen-legal">${legalLinks(appearance)}</p>
    </div>
    <p class="screen-way">${words.yours}<strong>${host}</strong></p>
    <div class="screen-code">${() => (code() ? html`<img src=${code()} alt=${words.code} width="120" height="120">`
    : '')}</div>`;
});
