// The page of the apps: the list of them, or one, by the address.

import { effect, element, html } from '/ui.js';
import '/navigation.js';
import { startLive, tellRinging, tellUsable } from '/live.js';
import '/people/owners-only.js';
import { isSessionKnown, may } from '/session.js';
import { consoleOf, take } from '/apps/console.js';
import { listOf } from '/apps/list.js';
import { app, follow, here } from '/apps/model.js';
import { words } from '/apps/words.js';

element('apps-page', () => {
  effect(() => { document.title = `${app()?.name ?? words.title} · Eightbells`; });
  follow({ onentries: take });
  startLive();
  effect(() => { if (isSessionKnown()) tellUsable(); });
  tellRinging();
  return html`${() => {
    if (!isSessionKnown()) return html`<h1>${words.title}</h1>`;
    if (!may('apps.manage')) return '';
    return here ? consoleOf() : listOf();
  }}`;
});
