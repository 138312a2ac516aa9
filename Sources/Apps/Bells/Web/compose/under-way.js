// What waits for its time, and what was sent last: the way of each, and, while it is not over, a way to take it back.

import { computed, effect, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { onNews } from '/live.js';
import { now, today, zone } from '/place.js';
import { saidOrDated } from '/moments.js';
import { ask } from '/people/ask.js';
import { rooms } from '/rooms.js';
import { change, load, may, session } from '/session.js';
import { senderOf } from '/bells/inbox.js';
import { scheduleWords } from '/bells/schedule.js';
import { inLanguage } from '/bells/shown.js';
import { language, words } from '/bells/compose/words.js';

const ALL = '/api/v1/notifications';
const LAST = 8; // of those that were sent; their traces lead to all others

/** The id of whoever is signed in and may send; undefined if nobody is. */
export const sender = computed(() => (may('bells.send') ? session().person.id : undefined));

/** {card, refresh}: the card, and what fetches it again. */
export function underWay() {
  const { inTurn, note, isBusy } = careful();
  const list = signal(null); // until it is known
  const fetchAll = async () => {
    const whose = sender.peek();
    const [waiting, sent] = await Promise.all([load(`${ALL}?scheduled=1`), load(ALL)]);
    if (whose === sender.peek()) list.set([...waiting.items, ...sent.items.slice(0, LAST)]);
  };
  const refresh = () => inTurn(fetchAll);
  const takeBack = async ({ id }, name) => {
    const sure = await ask({
      title: words.takeBackTitle(name), text: words.takeBackText, yes: words.takeBack, danger: true,
    });
    if (sure) inTurn(() => change('DELETE', `${ALL}/${id}`).then(fetchAll));
  };
  const row = (one) => {
    const { id, at, state } = one;
    const { title, body } = inLanguage(one.content, language);
    const name = title ?? body ?? words.untitled;
    const when = () => (one.schedule ? scheduleWords(one.schedule, today())
      : at ? saidOrDated(Date.parse(at), now(), zone()) : words.atPlace);
    const facts = () => [when(), words.states[state] ?? state, senderOf(one, rooms)].filter(Boolean).join(' · ');
    const isOpen = state === 'scheduled' || state === 'active';
    return html`<li><div class="grow"><a href=${`/bells/${id}`}><strong>${name}</strong></a>
      <small>${facts}</small></div>${isOpen ? html`<button class="button plain tight" type="button"
      aria-busy=${() => isBusy() || null} @click=${() => takeBack(one, name)}>${words.takeBack}<span
      class="visually-hidden">: ${name}</span></button>` : ''}</li>`;
  };
  effect(() => {
    list.set(null); // of somebody who has signed out
    if (sender()) refresh();
  });
  onNews('line', () => { if (sender.peek()) inTurn(async () => list.peek() ?? fetchAll()); });
  return {
    refresh,
    card: html`${() => (sender() ? html`<section class="card" aria-labelledby="under-way"><h2 id="under-way">${
      words.underWay}</h2>${note}${() => (list()?.length ? html`<ul class="list">${list().map(row)}</ul>`
      : list() && html`<p class="empty">${words.nothingUnderWay}</p>`)}</section>` : '')}`,
  };
}
