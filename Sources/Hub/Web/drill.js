// A drill: rings every device that a room would ring, and shows which answered.

import { computed, effect, ending, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { words } from '/drill-words.js';
import { hubAhead } from '/keep.js';
import { deviceName } from '/people/told.js';
import { change, load } from '/session.js';

const PATH = '/api/v1/drills';
const LOOK = 2_000; // milliseconds between two looks
const LASTS = 60_000;

const hasAnswered = ({ answered_after_s: after }) => after !== null && after !== undefined;

/** What is said of a device: {said, kind}, where the kind is that of a tag. */
export function told(device, isOver) {
  if (hasAnswered(device)) return { said: words.heard, kind: 'good' };
  // A push service that has taken it says nothing more: only at the end is it known whom it has not reached.
  if (!isOver) return { said: words.ringing, kind: null };
  return { said: device.rang ? words.silent : words.notRung, kind: 'bad' };
}

/**
 * {subjects, last, silentOnes, view} of a room's drill: the rooms that can be tried, the last drill of this one, the
 * names of those that did not answer it, and the part of a card with its key.
 * @param {() => string} room the room's id
 * @param {() => unknown} follows reads what changes who would be rung
 */
export function drilling(room, follows = () => {}) {
  const { doing, note, isBusy } = careful();
  const subjects = signal(null);
  const begun = signal(null); // the room that was rung from this page, whose drill is told to the ear
  const rung = signal(null); // {room, id, until}: the drill that lasts
  const lastOf = (id) => subjects()?.find((one) => one.room === id) ?? null;
  const last = computed(() => lastOf(room()));
  const lasts = computed(() => rung() !== null && rung().room === room());
  const read = async () => subjects.set((await load(PATH)).drills);
  let timer;
  ending(() => clearTimeout(timer));
  /** Looks as long as that drill lasts, and no other one has begun. */
  const look = async (drill) => {
    await read().catch(() => {});
    if (rung.peek() !== drill) return undefined;
    const known = lastOf(drill.room); // still the drill before, if it could not be read
    const isAnswered = known?.id === drill.id && known.devices.every(hasAnswered);
    if (Date.now() > drill.until || isAnswered) return rung.set(null);
    timer = setTimeout(look, LOOK, drill);
    return undefined;
  };
  // Also what was rung before the page was loaded.
  effect(() => {
    if (rung.peek() || !last()) return;
    const until = Date.parse(last().at) - hubAhead() + LASTS; // by this device's clock
    if (!(until > Date.now()) || last().devices.every(hasAnswered)) return;
    const drill = { room: last().room, id: last().id, until };
    rung.set(drill);
    timer = setTimeout(look, LOOK, drill);
  });
  effect(() => {
    follows();
    read().catch(() => {}); // without a network, or the right
  });
  const begin = () => doing(async () => {
    const here = room();
    const { id, devices } = await change('POST', PATH, { room: here });
    clearTimeout(timer);
    // If no device rings, none is waited for.
    const drill = { room: here, id, until: Date.now() + (devices > 0 ? LASTS : 0) };
    rung.set(drill);
    begun.set(here);
    await look(drill);
  });
  const row = (device) => {
    const { said, kind } = told(device, !lasts());
    return html`<li><div class="grow"><strong>${deviceName(device.name)}</strong>
      <small>${[device.person, said].filter(Boolean).join(' · ')}</small></div>${kind ? html`<span class="tag"
      data-kind=${kind}>${kind === 'good' ? words.after(device.answered_after_s) : words.bad}</span>` : ''}</li>`;
  };
  const hasRung = () => (last()?.devices.length ?? 0) > 0;
  const state = () => {
    if (!last()) return '';
    if (hasRung()) return html`<ul class="list drill">${last().devices.map(row)}</ul>`;
    return last().rings ? html`<p>${words.rings(last().rings)}</p>` : html`<p class="note">${words.nobody}</p>`;
  };
  const heard = computed(() => {
    if (begun() !== room() || !hasRung()) return '';
    if (lasts()) return words.ringing;
    return last().devices.map((device) => `${deviceName(device.name)}: ${told(device, true).said}.`).join(' ');
  });
  const view = html`<p class="visually-hidden" role="status">${heard}</p><p class="quiet small">${words.about}</p>
    ${state}
    ${() => (last()?.without.length ? html`<p class="small">${words.without(last().without.join(', '))}</p>` : '')}
    <div class="row"><button class="button" type="button" aria-busy=${() => isBusy() || lasts()}
      @click=${begin}>${() => (hasRung() ? words.ringAgain : words.ringAll)}</button></div>${note}`;
  const silentOnes = computed(() => (lasts() || !last() ? []
    : last().devices.filter((one) => !hasAnswered(one)).map(({ name }) => deviceName(name))));
  return { subjects, last, silentOnes, view };
}
