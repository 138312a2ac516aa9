// A key of private messages that the page's address has brought, until the card about them takes it.

import { html, signal } from '/ui.js';
import { canSeal, idOf, keyIn } from '/bells/sealed.js';
import { privateWords as words } from '/bells/private-words.js';

/** A key that the address has brought: {key, id}, or {} for one that is none. */
export const offered = signal(null);

/** Takes a key out of the page's address at once, so that it stays in no history. */
function takeFromAddress() {
  if (!location.hash.startsWith('#key=')) return;
  const key = keyIn(location.hash);
  history.replaceState(history.state, '', location.pathname + location.search);
  if (!canSeal()) return; // the card says why
  if (!key) offered.set({});
  else idOf(key).then((id) => offered.set({ key, id }));
}

export function watchForKeys() {
  takeFromAddress();
  globalThis.addEventListener('hashchange', takeFromAddress);
}

/** For whoever has not signed in: keys are kept for somebody who is. */
export const offeredOutside = () => (offered() ? html`<p class="note">${words.signInFirst}</p>` : '');
