// The people in the album: letting in, making hosts, removing.

import { html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { count, said, words } from '/albums/host/words.js';

const name = (one) => one.name ?? words.someone;

export function peoplePart(album, hosting) {
  const { doing, note } = careful();
  const asking = signal(null); // the id of whoever is about to be removed
  const set = (one, changed) => () => doing(async () => {
    await hosting.person(one.id, changed);
    asking.set(null);
  });
  const key = (text, act, kind = '') => html`<button class=${`button ${kind}`} type="button" @click=${act}>${text}
    </button>`;
  const about = (one) => [one.role === 'host' ? words.host : '', words.pictures(count(one.pictures ?? 0)),
    one.joined_at ? words.since(said(one.joined_at)) : ''].filter(Boolean).join(', ');
  const isMe = (one) => one.id === album.details()?.me?.id;
  const asked = (one) => html`<li><div class="grow"><strong>${name(one)}</strong><small>${words.wantsIn(
    one.joined_at ? said(one.joined_at) : '')}</small></div><div class="row">${
    key(words.refuse, set(one, { state: 'refused' }), 'plain danger')}${
    key(words.letIn, set(one, { state: 'in' }), 'primary')}</div></li>`;
  const keys = (one) => {
    if (isMe(one)) return html`<span class="tag">${words.you}</span>`;
    if (asking() === one.id) {
      return html`<p class="small">${words.removeAsk(name(one))}</p>${
        key(words.keep, () => asking.set(null), 'plain')}${
        key(words.removeThem, set(one, { state: 'removed' }), 'danger')}`;
    }
    return html`${one.role === 'host' ? key(words.makeGuest, set(one, { role: 'guest' }), 'plain')
      : key(words.makeHost, set(one, { role: 'host' }), 'plain')}${
      key(words.remove, () => asking.set(one.id), 'plain danger')}`;
  };
  const inside = (one) => html`<li><div class="grow"><strong>${name(one)}</strong><small>${about(one)}</small></div>
    <div class="row">${() => keys(one)}</div></li>`;
  const out = (one) => html`<li><div class="grow"><strong>${name(one)}</strong><small>${words.states[one.state]
    ?? one.state}</small></div><div class="row">${key(words.letIn, set(one, { state: 'in' }))}</div></li>`;
  const part = (title, states, view, hint = '') => () => {
    const all = (hosting.people() ?? []).filter(({ state }) => states.includes(state));
    if (!all.length) return '';
    return html`<h2>${title}</h2>${hint ? html`<p class="quiet">${hint}</p>` : ''}
      <ul class="list">${all.map(view)}</ul>`;
  };
  return html`<section class="host-people">${note}${part(words.asked, ['asked'], asked, words.askedHint)}${
    part(words.here, ['in'], inside)}${part(words.outside, ['removed', 'refused'], out)}</section>`;
}
