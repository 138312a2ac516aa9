// The people in the album: letting in, making hosts, renaming, removing.

import { computed, each, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { count, said, words } from '/albums/host/words.js';

const name = (one) => one.name ?? words.someone;

/** `show(id)` shows somebody's pictures. */
export function peoplePart(album, hosting, show) {
  const { inTurn, note } = careful(); // somebody lets in one after the other
  const asking = signal(null); // the id of whoever is about to be removed, or their pictures
  const naming = signal(null); // the id of whoever is about to have another name
  const now = (id) => hosting.people().find((one) => one.id === id) ?? {};
  const isWithPictures = signal(false); // whoever is removed
  const set = (id, changed) => () => {
    const isAll = asking.peek() === id && isWithPictures.peek();
    inTurn(async () => {
      await hosting.person(id, isAll ? { ...changed, pictures: 'removed' } : changed);
      if (asking.peek() === id) asking.set(null);
    });
  };
  const ask = (id) => () => {
    isWithPictures.set(false);
    asking.set(id);
  };
  const key = (id, text, act, kind = '') => html`<button class=${`button ${kind}`} type="button" @click=${act}>${text}
    <span class="visually-hidden">${() => name(now(id))}</span></button>`;
  // A member who was removed asks again; anybody else would come as somebody new.
  const mayReturn = ({ member }) => album.details()?.mode === 'open' && !member;
  const about = (one) => [one.role === 'host' ? words.host : '', words.pictures(count(one.pictures ?? 0)),
    one.joined_at ? words.since(said(one.joined_at)) : ''].filter(Boolean).join(', ');
  // A row's keys stay under the finger while what is said beside them changes.
  const row = (id, text, keys) => html`<li id=${`person-${id}`} tabindex="-1"><div class="grow"><strong>${() =>
    name(now(id))}</strong><small>${() => text(now(id))}</small></div><div class="row">${keys}</div></li>`;
  const wants = ({ joined_at: at }) => words.wantsIn(at ? said(at) : '');
  const asked = (id) => row(id, wants, [key(id, words.refuse, set(id, { state: 'refused' }), 'plain danger'),
    key(id, words.letIn, set(id, { state: 'in' }), 'primary')]);
  const theirs = (id) => html`<span hidden=${() => !now(id).pictures}>${
    key(id, words.showTheirs, () => show(id), 'plain')}</span>`;
  const rename = (id) => () => {
    naming.set(id);
    requestAnimationFrame(() => document.querySelector(`#person-${id} input`)?.focus());
  };
  const renamed = (id) => (event) => {
    event.preventDefault();
    const typed = event.target.elements.name.value.trim();
    inTurn(async () => {
      await hosting.person(id, { name: typed });
      if (naming.peek() === id) naming.set(null);
    });
  };
  // The form keeps its text while the list is read again.
  const nameForm = (id) => {
    const before = hosting.people.peek()?.find((one) => one.id === id)?.name ?? '';
    return html`<form class="row" @submit=${renamed(id)}><input name="name" required maxlength="100" autocomplete="off"
      aria-label=${words.name} value=${before}>${key(id, words.notNow, () => naming.set(null), 'plain')}
      <button class="button primary">${words.save}</button></form>`;
  };
  const keys = (id, isHost) => {
    if (id === album.details()?.me?.id) return [html`<span class="tag">${words.you}</span>`, theirs(id)];
    if (asking() === id) {
      return html`<p class="small" role="alert">${() => words.removeAsk(name(now(id)))} ${() =>
        (mayReturn(now(id)) ? words.removeAskOpen : '')}</p><label class="check"
        hidden=${() => !now(id).pictures}><input type="checkbox" .checked=${isWithPictures}
        @change=${({ target }) => isWithPictures.set(target.checked)}><span>${() =>
  words.removeWith(count(now(id).pictures ?? 0))}</span></label>${
        key(id, words.keep, () => asking.set(null), 'plain')}${
        key(id, words.removeThem, set(id, { state: 'removed' }), 'danger')}`;
    }
    if (naming() === id) return nameForm(id);
    return [theirs(id), key(id, words.rename, rename(id), 'plain'),
      isHost() ? key(id, words.makeGuest, set(id, { role: 'guest' }), 'plain')
        : key(id, words.makeHost, set(id, { role: 'host' }), 'plain'), key(id, words.remove, ask(id), 'plain danger')];
  };
  const inside = (id) => {
    const isHost = computed(() => now(id).role === 'host');
    return row(id, about, () => keys(id, isHost));
  };
  const outKeys = (id, hasLeft) => (asking() === id
    ? [html`<p class="small" role="alert">${words.takeOutAsk}</p>`,
      key(id, words.keep, () => asking.set(null), 'plain'),
      key(id, words.takeOutSure, set(id, { pictures: 'removed' }), 'danger')]
    : [theirs(id), html`<span hidden=${() => !now(id).pictures}>${
      key(id, words.takeOut, ask(id), 'plain danger')}</span>`,
    hasLeft ? '' : key(id, words.letIn, set(id, { state: 'in' }))]);
  const out = (id) => {
    const hasLeft = computed(() => now(id).state === 'left');
    return row(id, ({ state, pictures }) => [words.states[state] ?? state,
      pictures ? words.pictures(count(pictures)) : ''].filter(Boolean).join(', '), () => outKeys(id, hasLeft()));
  };
  const part = (title, states, view, hint = '') => {
    const isIn = ({ state, pictures }) => states.includes(state) && (state !== 'left' || pictures > 0);
    const ids = () => (hosting.people() ?? []).filter(isIn).map(({ id }) => id);
    const isAny = computed(() => ids().length > 0);
    return () => (isAny() ? html`<h2>${title}</h2>${hint ? html`<p class="quiet">${hint}</p>` : ''}
      <ul class="list">${each(ids, (id) => id, view)}</ul>` : '');
  };
  return html`<section class="host-people">${note}${part(words.asked, ['asked'], asked, words.askedHint)}${
    part(words.here, ['in'], inside)}${part(words.outside, ['removed', 'refused', 'left'], out)}</section>`;
}
