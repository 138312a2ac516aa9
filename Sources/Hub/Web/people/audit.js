// The audit, newest first, a page at a time.

import { each, effect, element, html, signal } from '/ui.js';
import { load, may } from '/session.js';
import { happened } from '/people/invite.js';
import { tried } from '/trying.js';
import { dated } from '/moments.js';
import { now, zone } from '/place.js';
import { sentence } from '/people/sentence.js';
import { words } from '/people/words.js';

const entries = signal(undefined);
const mayHaveMore = signal(false);
const { afresh, note } = tried();

const read = (before) => afresh(async () => {
  const page = await load(`/api/v1/audit${before ? `?before=${before}` : ''}`);
  entries.set([...(before ? entries.peek() : []), ...page.entries]);
  mayHaveMore.set(page.entries.length > 0 && Number(page.entries.at(-1).id) > 1);
});

const at = (entry) => dated(Date.parse(entry.at), now.peek(), zone());
const row = (entry) => html`<li><time datetime=${entry.at}>${() => at(entry)}</time>${() =>
  sentence(entry)}</li>`;

element('people-audit', () => {
  effect(() => { happened(); if (may('hub.manage')) read(); });
  return html`${() => (may('hub.manage') ? html`<section class="card" aria-labelledby="audit-title">
      <h2 id="audit-title">${words.audit}</h2>
      ${note}
      ${() => (entries()?.length === 0 ? html`<p class="quiet">${words.auditEmpty}</p>` : '')}
      <ul class="log">${each(() => entries() ?? [], ({ id }) => id, row)}</ul>
      ${() => (mayHaveMore() ? html`<p class="row"><button type="button" class="button"
        @click=${() => read(entries.peek().at(-1).id)}>${words.older}</button></p>` : '')}
    </section>` : '')}`;
});
