// The topics: what rings all one's devices, or this one alone, and how often it would have.

import { each, html } from '/ui.js';
import { careful } from '/bells/doing.js';
import { isKnown, subscribeTo, thisDevice, topics } from '/bells/model.js';
import { language, words } from '/bells/words.js';

const nameOf = ({ names, name }) => names?.[language] ?? name;

export function topicsCard() {
  const { doing, note } = careful();
  const of = (id) => topics.value()?.find((one) => one.id === id);
  const turn = (id, whose) => ({ target }) => doing(async () => {
    try {
      await subscribeTo(id, whose, target.checked);
    } finally {
      target.checked = of(id)?.subscribed[whose] ?? false;
    }
  });
  // Rows by their ids alone, so that the focus stays on a switch when it has turned.
  const row = (id) => html`<li>
    <label class="switch"><span><strong>${() => nameOf(of(id) ?? { name: id })}</strong>
      <small>${() => words.lastWeek(of(id)?.last_week ?? 0)}</small></span>
      <input type="checkbox" role="switch" .checked=${() => of(id)?.subscribed.me ?? false}
        @change=${turn(id, 'me')}></label>
    ${() => (thisDevice() && !of(id)?.subscribed.me ? html`<label class="check small"><input type="checkbox"
      .checked=${() => of(id)?.subscribed.device ?? false} @change=${turn(id, 'device')}> ${words.onlyHere}</label>`
    : '')}</li>`;
  const list = () => (topics.value() ?? []).map(({ id }) => id);
  return html`<section class="card" aria-labelledby="topics-title"><h2 id="topics-title">${words.whatRings}</h2>
    ${() => (isKnown() && topics.value()?.length === 0 ? html`<p class="empty">${words.noTopics}</p>` : '')}
    <ul class="list topics">${each(list, (id) => id, row)}</ul>
    <p class="hint small quiet">${words.topicsHint}</p>${note}</section>`;
}
