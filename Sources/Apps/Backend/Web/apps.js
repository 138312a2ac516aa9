// The page of the apps: the list of them, or one, by the address.

import { effect, element, html, signal } from '/ui.js';
import '/navigation.js';
import { startLive, tellRinging, tellUsable } from '/live.js';
import '/people/owners-only.js';
import { isSessionKnown, may } from '/session.js';
import { listOf } from '/apps/list.js';
import { app, follow, here } from '/apps/model.js';
import { words } from '/apps/words.js';

// An app's own page is most of this room; the list does without it.
const opening = here ? import('/apps/console.js') : Promise.resolve(null);

element('apps-page', () => {
  const opened = signal(null);
  opening.then((them) => opened.set(them), () => {});
  effect(() => { document.title = `${app()?.name ?? words.title} · Eightbells`; });
  follow({ onentries: (entries) => opening.then(({ take }) => take(entries), () => {}) });
  startLive();
  effect(() => { if (isSessionKnown()) tellUsable(); });
  tellRinging();
  return html`${() => {
    if (!isSessionKnown() || (here && !opened())) return html`<h1>${words.title}</h1>`;
    if (!may('apps.manage')) return '';
    return here ? opened().consoleOf() : listOf();
  }}`;
});
