// /settings: on a phone the list of all settings. On larger screens the list is beside each page, so the first page is
// shown at once.

import { computed, effect, element, html } from '/ui.js';
import { beginPage } from '/navigation.js';
import { shownRooms } from '/room-choice.js';
import { isSessionKnown, may } from '/session.js';
import { words } from '/shell-words.js';
import '/people/owners-only.js';
import '/settings/list.js';

const WIDE = '(min-width: 64rem)';

element('hub-settings', () => {
  beginPage(() => words.settings);
  const isOwner = computed(() => may('hub.manage')); // what else changes of the session would begin the way anew
  effect(() => {
    if (!isOwner() || !matchMedia(WIDE).matches) return;
    location.replace(shownRooms.peek()[0]?.settings ?? '/settings/rooms');
  });
  return html`${() => (!isSessionKnown() || isOwner()
    ? html`<h1>${words.settings}</h1><hub-settings-list></hub-settings-list>`
    : html`<hub-owners-only></hub-owners-only>`)}`;
});
