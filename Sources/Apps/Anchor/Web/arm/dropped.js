// The place at which "Drop" was pressed. The hub tells only the anchor's present place, so a page knows this one if
// it has seen the anchor there.

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
