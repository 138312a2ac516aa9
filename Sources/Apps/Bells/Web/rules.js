// The rules for notifications, for what pages show of them. They are large: other rooms' pages load this module when
// something rings.

import { loadNotificationRules } from '/notification-rules.js';
import { signal } from '/ui.js';
import { opened } from '/bells/opened.js';
import { PATIENCE, shownBy } from '/bells/shown.js';
import { language } from '/shell-words.js';

const AGAIN = 5_000; // milliseconds until rules that did not come are asked for once more

/** Undefined while they are waited for, null as long as there are none. */
export const rules = signal(undefined);

let coming;

export function fetchRules() {
  if (coming) return;
  setTimeout(() => { if (rules.peek() === undefined) rules.set(null); }, PATIENCE);
  coming = loadNotificationRules().then((them) => rules.set(them), (error) => {
    console.error(error);
    rules.set(null);
    coming = undefined;
    if (globalThis.WebAssembly) setTimeout(fetchRules, AGAIN); // a browser may have it switched off
  });
}

/** The parts of a content that are shown here; see shown.js. */
export const shown = (whole) => shownBy(rules(), opened(whole), { language });
