// "On watch": a front room's cards of other rooms with something to report. Each room sets its own state
// (/room-states.js) by the module that its room.js names as `tells`; bin/pack-web joins these to /rooms-tell.js, so
// that no room imports another.

import { computed, each, element, html } from '/ui.js';
import { rooms } from '/rooms.js';
import { isDetail } from '/detail.js';
import { isFrontRoom } from '/room-choice.js';
import { stateOf } from '/room-states.js';
import { isInside } from '/session.js';
import { words } from '/shell-words.js';
import { onWatch } from '/watch-plan.js';
import '/rooms-tell.js';

const line = ({ when, what, to }) => html`<li><a href=${to}><span class="room-when">${when}</span>
  <span>${what}</span></a></li>`;

/** A card links to its room; a card with lines has links in these instead. */
function card({ id, page, icon, name }) {
  const said = () => stateOf(id)?.card ?? {};
  const lamp = () => (stateOf(id)?.lamp ? html`<i class="lamp" data-state=${stateOf(id).lamp}></i>` : '');
  return html`<li class="room-card"><a class="room-door" href=${page}>
      <span class="room-name"><svg class="icon s" viewBox="0 0 24 24" aria-hidden="true"><path d=${icon} /></svg>
        ${name}</span>
      <span class="room-says">${lamp}<span>${() => said().says}</span></span></a>
    <p class="room-more">${() => said().more ?? ''}</p>
    ${() => (said().lines?.length ? html`<ul class="room-lines">${said().lines.map(line)}</ul>` : '')}</li>`;
}

/** <hub-watch data-shown="door clock"> lists the rooms that the page shows by itself. */
element('hub-watch', (host) => {
  const shown = new Set((host.dataset.shown ?? '').split(' '));
  const cards = computed(() => (isInside() && isFrontRoom() && !isDetail()
    ? onWatch(rooms, stateOf, shown) : []));
  return html`<section class="on-watch" aria-labelledby="on-watch" hidden=${() => cards().length === 0}>
    <h2 id="on-watch">${words.onWatch}</h2><ul class="room-cards">${each(cards, ({ id }) => id, card)}</ul></section>`;
});
