// Drills, for those who may ring them: whom a room would wake tonight, room by room.

import { computed, effect, html, signal } from '/ui.js';
import { drilling } from '/drill.js';
import { isHidden } from '/room-choice.js';
import { words as drillWords } from '/drill-words.js';
import { devices, topics } from '/bells/model.js';
import { language } from '/bells/words.js';

export function drillsCard() {
  const room = signal('');
  const reach = computed(() => JSON.stringify([devices.value(), topics.value()])); // what changes whom a drill rings
  const { subjects, view } = drilling(() => room(), reach);
  const offered = computed(() => (subjects() ?? []).filter((one) => !isHidden(one.room)));
  effect(() => { if (!room.peek() && offered().length) room.set(offered()[0].room); });
  const isOffered = computed(() => offered().length > 0);
  const option = (one) => html`<option value=${one.room}>${one.name[language]}</option>`;
  const choice = () => html`<p class="field"><label for="drill-room">${drillWords.of}</label>
    <select id="drill-room" @change=${({ target }) => room.set(target.value)}>${offered.peek().map(option)}</select>
    </p>`;
  return html`${() => (isOffered() ? html`<section class="card" aria-labelledby="drills-title">
    <h2 id="drills-title">${drillWords.title}</h2>${choice()}${view}</section>` : '')}`;
}
