// How this hub looks to its people: the space's name, colour and picture, as the manifest tells them. What was told
// last is shown at once, also without a network.

import { signal } from '/ui.js';
import { ask, recall } from '/keep.js';
import { applyAccent } from '/accent.js';

const MANIFEST = '/manifest.webmanifest';

/** The icon is null until it is known: a page that shows ours first would fetch two. */
export const appearance = signal({ name: 'Eightbells', icon: null });

function show({ name, icons, color, legal_notice: legal, privacy }) {
  appearance.set({ name: name ?? 'Eightbells', icon: icons?.[0]?.src ?? '/icon.svg', legal, privacy });
  applyAccent(color);
}

let shown = false;

/** Shows what was known last. */
export async function recallAppearance() {
  const kept = await recall('appearance');
  if (kept && !shown) show(kept.body);
}

/** Asks the hub how it looks now. */
export async function refreshAppearance() {
  try {
    show(await ask('appearance', MANIFEST));
    shown = true;
  } catch { // without a network it keeps looking as it did
  }
}
