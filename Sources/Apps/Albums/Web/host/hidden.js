// Pictures that were hidden, and those that were removed and until when they can come back, unless a host deletes them
// for good: they take room until then.

import { computed, each, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { LISTED } from '/albums/host/model.js';
import { shot } from '/albums/host/review.js';
import { count, dateOf, said, words } from '/albums/host/words.js';

const KEPT = 30 * 86_400_000; // milliseconds for which the hub keeps what was removed

const row = (picture, text, keys) => html`<li><span class="thumb">${shot(picture, false)}</span>
  <div class="grow"><strong>${picture.by?.name ?? words.someone}</strong><small>${text}</small></div>
  <div class="row">${keys}</div></li>`;

export function hiddenPart(hosting) {
  const { inTurn, note } = careful();
  const busy = new Set(); // what is under way, or waits for its turn: a second press changes nothing
  const key = (text, act, kind = '') => html`<button class=${`button ${kind}`} type="button"
    @click=${act}>${text}</button>`;
  const once = (act, picture) => async () => {
    const what = `${act} ${picture.id ?? picture[0].by?.id}`; // a picture, or all of one sender
    if (busy.has(what)) return;
    busy.add(what);
    await inTurn(() => hosting[act](picture));
    busy.delete(what);
  };
  const hidden = (picture) => row(picture, words.hiddenText, [key(words.showAgain, once('show', picture)),
    key(words.remove, once('remove', picture), 'danger plain')]);
  // The id of the picture, or of the sender, of which it is asked once more. The answer has other words than the
  // question's button: what says the same keeps the focus (ui.js), and Enter pressed twice would answer.
  const asked = signal(null);
  const ask = (text, which) => html`<p class="small" role="alert">${text}</p>${
    key(words.keep, () => asked.set(null), 'plain')}${key(words.forGoodSure, once('deleteForGood', which), 'danger')}`;
  const forGood = (picture) => (asked() === picture.id ? ask(words.forGoodAsk, picture)
    : [key(words.restore, once('restore', picture)),
      key(words.forGood, () => asked.set(picture.id), 'danger plain')]);
  const removed = (picture) => row(picture, words.goneAt(said(picture.removed_at),
    dateOf(Date.parse(picture.removed_at) + KEPT)), () => forGood(picture));
  // All of one sender at once, if there are several.
  const theirs = (all) => {
    const { by } = all[0];
    const [number, who] = [count(all.length), by?.name];
    return asked() === by?.id ? ask(words.forGoodAskAll(number, who), all)
      : [key(words.restoreAll(number, who), once('restoreAll', all)),
        key(words.forGoodAll(number, who), () => asked.set(by?.id), 'danger plain')];
  };
  const senders = () => {
    const found = new Map();
    for (const one of hosting.removed()) {
      if (!found.has(one.by?.id)) found.set(one.by?.id, []);
      found.get(one.by?.id).push(one);
    }
    return [...found.values()].filter(({ length }) => length > 1);
  };
  const list = (all, view) => html`<ul class="list hidden-list">${each(all, ({ id }) => id, view)}</ul>`;
  const [isAnyHidden, isAnyRemoved] = [hosting.hidden, hosting.removed].map((all) => computed(() => all()?.length > 0));
  return html`<section class="host-hidden">${note}${() => (hosting.isCut()
    ? html`<p class="note" data-kind="info">${words.notAll(count(LISTED))}</p>` : '')}
    <h2>${words.hidden}</h2>${() => (isAnyHidden()
    ? list(hosting.hidden, hidden) : html`<p class="empty">${words.nothingHidden}</p>`)}${() =>
  (isAnyRemoved() ? html`<h2>${words.removed}</h2>${() => senders().map(
    (all) => html`<div class="row">${() => theirs(all)}</div>`)}${
    list(hosting.removed, removed)}` : '')}</section>`;
}
