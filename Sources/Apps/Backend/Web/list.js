// The list of the apps, and the form that makes one.

import { each, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { apps, isLost, make, readApps } from '/apps/model.js';
import { shownOnce } from '/apps/keys.js';
import { count, words } from '/apps/words.js';

const state = (one) => {
  if (!one.enabled) return html`<span class="tag" data-kind="warn">${words.off}</span>`;
  return one.over_quota ? html`<span class="tag" data-kind="bad">${words.full}</span>` : '';
};

const row = (one) => html`<li><a class="app-row" href=${`/apps/${one.app_id}`}>
  <span class="grow"><strong>${one.name}</strong><small>${words.connected(one.connections)}, ${
  words.today(count(one.messages_today))}</small></span>${state(one)}<code>${one.key}</code></a></li>`;

export function listOf() {
  const { doing, note, isBusy } = careful();
  const made = signal([]); // their secrets are shown this once
  const submit = (event) => {
    event.preventDefault();
    const form = event.target;
    doing(async () => {
      made.set([...made.peek(), await make(form.elements.name.value.trim())]);
      form.reset();
      await readApps();
    });
  };
  return html`<div class="page apps-list">
    <section><h1>${words.title}</h1><p class="quiet">${words.intro}</p></section>
    ${() => (isLost() ? html`<p class="note" role="status">${words.unreachable}</p>` : '')}
    ${each(made, ({ app_id: id }) => id, (one) =>
    shownOnce(one, words.made, () => made.set(made.peek().filter((other) => other !== one))))}
    ${() => (apps()?.length === 0 ? html`<p class="empty">${words.none}</p>` : '')}
    <ul class="list" hidden=${() => !apps()?.length}>${each(() => apps() ?? [], ({ app_id: id }) => id, row)}</ul>
    <form class="card" @submit=${submit} hidden=${() => !apps() && !isLost()}>
      <div class="field"><label for="app-name">${words.name}</label>
        <input id="app-name" name="name" maxlength="100" aria-required="true" autocomplete="off"></div>${note}
      <p class="row"><button class="button primary" aria-busy=${() => isBusy() || null}>${words.make}</button></p>
    </form></div>`;
}
