// The page of the apps: the list of them, or one, by the address.

import { insist } from '/done.js';
import { effect, element, html, signal } from '/ui.js';
import '/navigation.js';
import { startLive, tellRinging, tellUsable } from '/live.js';
import '/people/owners-only.js';
import { isSessionKnown, may } from '/session.js';
import { listOf } from '/apps/list.js';
import { app, follow, here, isLost } from '/apps/model.js';
import { words } from '/apps/words.js';
import { words as shell } from '/shell-words.js';

// An app's own page is most of this room; the list does without it.
const opening = here ? insist(() => import('/apps/console.js')) : Promise.resolve(null);

element('apps-page', () => {
  const opened = signal(null);
  opening.then(opened.set);
  effect(() => { document.title = `${app()?.name ?? words.title} · Eightbells`; });
  follow({ onentries: (entries) => opening.then(({ take }) => take(entries)) });
  startLive();
  effect(() => { if (isSessionKnown()) tellUsable(); });
  tellRinging();
  return html`${() => {
    if (!isSessionKnown() || (here && !opened())) {
      return html`<h1>${words.title}</h1>${() => (isLost() ? html`<p class="note" role="alert">${shell.offline}</p>`
        : '')}`;
    }
    if (!may('apps.manage')) return '';
    return here ? opened().consoleOf() : listOf();
  }}`;
});
