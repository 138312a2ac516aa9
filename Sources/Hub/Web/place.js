// The hub's place and its local time, for the pages of all rooms, set by rooms that know the place or its door.

import { computed, signal } from '/ui.js';
import { civil } from '/words.js';

export const now = signal(Date.now());

/** {name, address, lat, lon, timezone, …}; undefined until known, null when not set yet. */
export const place = signal(undefined);

export const zone = computed(() => place()?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
export const today = computed(() => civil(now(), zone()).days);

/** {state: 'open' | 'closed' | 'unknown', isCurrent}; undefined if no room of the page has a door. */
export const door = signal(undefined);
