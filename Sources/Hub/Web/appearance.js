// The hub's appearance: the space's name, colour and picture, from the manifest. The last known one is shown at once,
// also without a network.

import { signal } from '/ui.js';
import { ask, recall } from '/keep.js';

const MANIFEST = '/manifest.webmanifest';

/** The icon is null until known, so that the default one is not fetched first. */
export const appearance = signal({ name: 'Eightbells', icon: null });

function show(manifest) {
  const { name, icons, color } = manifest;
  appearance.set({ ...manifest, name: name ?? 'Eightbells', icon: icons?.[0]?.src ?? '/icon.svg' });
  // Loaded late, since what one came for is read without it.
  import('/accent.js').then(({ applyAccent }) => applyAccent(color), () => {});
}

let shown = false;

/** Shows the last known appearance. */
export async function recallAppearance() {
  const kept = await recall('appearance');
  if (kept && !shown) show(kept.body);
}

/** Fetches the current appearance. */
export async function refreshAppearance() {
  try {
    show(await ask('appearance', MANIFEST));
    shown = true;
  } catch { // without a network the appearance stays
  }
}
