// Where "Drop" was pressed: the hub tells the anchor's place of now alone, so a page knows it that has seen it so.

import { effect, signal } from '/ui.js';
import { status } from '/anchor/model.js';

/** A signal of that place, {lat, lon}; null if this page has not seen it at this anchorage. */
export function dropPlace() {
  const place = signal(null);
  let since;
  effect(() => {
    const { anchor_by: by, dropped_at: at, settings } = status() ?? {};
    if (at !== since) place.set(null);
    since = at;
    if (by === 'drop') place.set(settings?.anchor ?? null);
  });
  return place;
}
