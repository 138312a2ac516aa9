// The topics, with switches: for all devices, or for this one alone, and how often each has rung.

import { computed, each, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { isHidden } from '/room-choice.js';
import { isKnown, subscribeTo, thisDevice, topics } from '/bells/model.js';
import { language, words } from '/bells/words.js';

const nameOf = ({ names, name }) => names?.[language] ?? name;

export function topicsCard() {
  const { inTurn, note } = careful();
  const of = (id) => topics.value()?.find((one) => one.id === id);
  const turning = signal({}); // switches that the hub has not answered yet: what it tells meanwhile may be older
  const isOn = (id, whose) => turning()[`${whose} ${id}`] ?? of(id)?.subscribed[whose] ?? false;
  const turn = (id, whose) => ({ target: { checked } }) => {
    const key = `${whose} ${id}`;
    turning.set({ ...turning.peek(), [key]: checked });
    inTurn(async () => {
      try {
        await subscribeTo(id, whose, checked);
      } finally {
        const { [key]: shown, ...others } = turning.peek();
        if (shown === checked) turning.set(others); // turned once more meanwhile, it stays as it is
      }
    });
  };
  // Rows by their ids alone, so that the focus stays on a switch when it has turned.
  const row = (id) => html`<li>
    <label class="switch"><span><strong>${() => nameOf(of(id) ?? { name: id })}</strong>
      <small>${() => words.lastWeek(of(id)?.last_week ?? 0)}</small></span>
      <input type="checkbox" role="switch" .checked=${() => isOn(id, 'me')}
        @change=${turn(id, 'me')}></label>
    ${() => (thisDevice() && !of(id)?.subscribed.me ? html`<label class="check small"><input type="checkbox"
      .checked=${() => isOn(id, 'device')} @change=${turn(id, 'device')}> ${words.onlyHere}</label>`
    : '')}</li>`;
  const subscribed = new Set(); // a switch that was turned off by mistake stays
  const list = computed(() => (topics.value() ?? []).filter(({ id, room, subscribed: { me, device } }) => {
    if (me || device) subscribed.add(id);
    return !isHidden(room) || subscribed.has(id);
  }).map(({ id }) => id));
  return html`<section class="card" aria-labelledby="topics-title"><h2 id="topics-title">${words.whatRings}</h2>
    ${() => (isKnown() && topics.value() && !list().length ? html`<p class="empty">${words.noTopics}</p>` : '')}
    <ul class="list topics">${each(list, (id) => id, row)}</ul>
    <p class="hint small quiet">${words.topicsHint}</p>${note}</section>`;
}
