// Where the hub is, and what time it is there. Pages of all rooms go by it; a room that knows of the place or of its
// door tells it here.

import { computed, signal } from '/ui.js';
import { civil } from '/words.js';

export const now = signal(Date.now());

/** {name, address, lat, lon, timezone, …}; undefined until it is known, null when the hub has not been told yet. */
export const place = signal(undefined);

export const zone = computed(() => place()?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
export const today = computed(() => civil(now(), zone()).days);

/** {state: 'open' | 'closed' | 'unknown', isCurrent}; undefined where no room of the page knows of a door. */
export const door = signal(undefined);
