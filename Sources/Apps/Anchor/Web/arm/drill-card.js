// The drill: rings every device that would be rung, and shows which answered.

import { computed, ending, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { drawing, icons } from '/anchor/icons.js';
import { drill, ring, timeOf } from '/anchor/model.js';
import { words } from '/anchor/words.js';

const LOOK = 2_000; // milliseconds between two looks
const LASTS = 60_000;

const last = signal(null); // {at, devices}; null without one
const until = signal(0);

/** The names of those that did not answer the last drill. */
export const silentOnes = computed(() => (until() || !last() ? []
  : (last().devices ?? []).filter(({ answered_after_s: after }) => after === null || after === undefined)
    .map(({ name }) => name)));

export function drillCard() {
  const { doing, note, isBusy } = careful();
  const read = async () => {
    const found = await drill();
    last.set(found?.at ? found : null);
  };
  read().catch(() => {}); // none yet
  let timer;
  ending(() => clearTimeout(timer));
  const look = async () => {
    await read().catch(() => {});
    const all = last.peek()?.devices ?? [];
    if (Date.now() > until.peek() || (all.length && all.every(({ answered_after_s: after }) => after >= 0
      && after !== null))) return until.set(0);
    timer = setTimeout(look, LOOK);
    return undefined;
  };
  const begin = () => doing(async () => {
    await ring();
    clearTimeout(timer);
    until.set(Date.now() + LASTS);
    await look();
  });
  const row = ({ device, name, person, rang, answered_after_s: after, kind }) => {
    const heard = after !== null && after !== undefined;
    const isOver = !until();
    const said = heard ? words.heardIt : !rang ? words.notRung : isOver ? words.noAnswer : words.ringingNow;
    return html`<li data-device=${device} data-bad=${!heard && isOver}>${drawing(kind === 'agent' ? icons.speaker
      : icons.phone)}<div class="grow"><strong>${name}</strong><small>${[person, said].filter(Boolean).join(' · ')}
      </small></div>${heard ? html`<span class="tag" data-kind="good">${words.after(after)}</span>` : ''}</li>`;
  };
  return html`<section class="card" aria-labelledby="drill"><header class="card-head"><h2 id="drill">${words.drill}</h2>
    <span class="quiet small">${() => (last()?.at ? timeOf(Date.parse(last().at) / 1000) : '')}</span></header>
    ${() => (last() ? html`<ul class="list drill">${(last().devices ?? []).map(row)}</ul>${last().devices?.length ? ''
    : html`<p class="note">${words.nobodyRung}</p>`}` : html`<p class="quiet">${words.drillAbout}</p>`)}
    <div class="row"><button class="button" type="button" aria-busy=${() => isBusy() || until() > 0 || null}
      @click=${begin}>${drawing(icons.again)}${() => (last() ? words.ringAgain : words.ringAll)}</button></div>${note}
    </section>`;
}
