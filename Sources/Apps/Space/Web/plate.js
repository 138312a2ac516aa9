// The small board below the sign: the next event, and its openers. Its data is another room's; the sign itself never
// shows two things.

import { computed, element, html } from '/ui.js';
import { rooms } from '/rooms.js';
import { stateOf } from '/room-states.js';
import { isDetail } from '/detail.js';
import { isInside } from '/session.js';
import { current, sign } from '/space/model.js';
import { plateLines } from '/space/plate-words.js';

element('space-plate', () => {
  const next = computed(() => rooms.map(({ id }) => stateOf(id)?.plate).find(Boolean));
  const isThere = computed(() => Boolean(next()) && sign() !== undefined && !isDetail());
  const lines = () => (isThere() ? plateLines(sign().open === true, next(), !isInside()) : {});
  const kind = () => ({ true: 'open', false: 'closed' }[sign()?.open] ?? 'unknown');
  return html`${() => (isThere() ? html`<a class="sign-plate" href=${() => next()?.to} data-kind=${kind}
    data-stale=${() => !current()}><span class="plate-when">${() => lines().when}</span>
    <span class="plate-what">${() => lines().what}</span>
    <svg class="icon s" viewBox="0 0 24 24" aria-hidden="true"><path d="M9 5l7 7-7 7" /></svg></a>` : '')}`;
});
