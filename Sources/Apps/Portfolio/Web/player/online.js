// Says if the device has a network, as far as the browser knows.

import { signal } from '/ui.js';

export const online = signal(globalThis.navigator?.onLine ?? true);
for (const name of ['online', 'offline']) {
  globalThis.addEventListener?.(name, () => online.set(navigator.onLine));
}
