// The watchers, their batteries and the sources of the position, as the hub has heard them.

import { computed, each, html, signal, effect } from '/ui.js';
import { careful } from '/doing.js';
import { deviceName } from '/people/told.js';
import { drawing, icons } from '/anchor/icons.js';
import { acknowledge, hubSecond, isLost, second, status } from '/anchor/model.js';
import { words } from '/anchor/words.js';

const BEATS = 40; // signs of life that are drawn
const DAY = 86_400; // seconds; a longer interval is no promise, as that of the demonstration
const HEIGHTS = [[5, 10], [3, 14], [5, 10], [4, 12]];

const promised = ({ interval_s: every }) => (every < DAY ? every : 0);
const sources = computed(() => status()?.sources ?? []);
const ago = (time) => Math.max(0, hubSecond() - Math.floor(Date.parse(time) / 1000));
const pictureOf = ({ kind }) => (kind === 'agent' ? icons.boat : kind === 'hub' ? icons.hub : icons.phone);

/** Signs of life by source, as this page has seen them come: [{id: [isHeard]}], a missed one stays visible. */
const beats = signal(new Map());

function follow() {
  const seen = new Map(); // the last sign of life of each source, and by when the next is due
  effect(() => {
    const now = second();
    const next = new Map(beats.peek());
    let isNew = false;
    for (const { id, last, interval_s: every = 0 } of sources()) {
      const before = seen.get(id);
      const isHeard = before?.last !== last;
      const isMissed = !isHeard && every > 0 && now > before.due;
      if (!isHeard && !isMissed) continue;
      seen.set(id, { last, due: now + Math.max(every * 1.5, 5) });
      if (isMissed || before) {
        next.set(id, [...(next.get(id) ?? Array(BEATS).fill(null)), isHeard].slice(-BEATS));
        isNew = true;
      }
    }
    if (isNew) beats.set(next);
  });
}

function heartbeat(id) {
  const all = () => beats().get(id) ?? [];
  const lines = (wanted) => () => all().map((one, index) => {
    const [top, high] = HEIGHTS[index % HEIGHTS.length];
    const x = 2 + index * 4;
    if (one !== wanted) return '';
    return one ? `M${x} ${top}v${high}` : `M${x} 9v2`;
  }).join('');
  return html`<svg class="beats" viewBox="0 0 160 20" preserveAspectRatio="none" aria-hidden="true"><path class="beat"
    d=${lines(true)} /><path class="missed" d=${lines(false)} /></svg>`;
}

/** What rings on the boat alone can be silenced from here. */
function silenceBoat() {
  const { doing, note, isBusy } = careful();
  const isAboard = computed(() => Boolean(status()?.armed) && sources().some(({ kind, state }) => kind === 'agent'
    && state !== 'lost'));
  return html`${() => (isAboard() ? html`<p class="quiet">${words.ringsAboard}</p><p class="row"><button
    class="button" type="button" aria-busy=${() => isBusy() || null} @click=${() => doing(acknowledge)}>${
  words.silenceBoat}</button></p>${note}` : '')}`;
}

const KIND = { ok: 'good', late: 'warn', lost: 'bad' };

export function watchersCard() {
  follow();
  const row = (one) => html`<li data-state=${one.state}>${drawing(pictureOf(one))}<div class="grow"><strong>${
    deviceName(one.name)}</strong><small>${() => words.heard(promised(one), ago(one.last))}</small></div>${
    heartbeat(one.id)}</li>`;
  const hub = { id: 'hub', kind: 'hub' };
  const fit = computed(() => sources().filter(({ state }) => state === 'ok').length + (isLost() ? 0 : 1));
  const count = computed(() => sources().length + 1);
  return html`<section class="card" aria-labelledby="who"><header class="card-head"><h2 id="who">${words.whoWatches}
    </h2><span class="tag" data-kind=${() => (fit() === count() ? 'good' : 'bad')}>${() =>
    words.ofAll(fit(), count())}</span></header>
    <ul class="watchers">${each(sources, ({ id }) => id, row)}<li data-state=${() => (isLost() ? 'lost' : 'ok')}>${
  drawing(pictureOf(hub))}<div class="grow"><strong>${words.hubAshore}</strong><small>${() => (isLost()
    ? words.hubSilent : words.hubHears)}</small></div></li></ul>
    <p class="small quiet">${() => (sources().length ? words.silentRings : words.nobodyYet)}</p>${
  silenceBoat()}</section>`;
}

export function powerCard() {
  const told = computed(() => sources().filter(({ battery }) => typeof battery === 'number'));
  const row = ({ name, battery, charging }) => html`<li data-low=${battery <= 0.2 && !charging}>${drawing(charging
    ? icons.plug : icons.battery)}<strong>${words.percent(Math.round(battery * 100))}</strong><small>${
    deviceName(name)}, ${charging ? words.charging : words.onBattery}</small></li>`;
  return html`${() => (told().length ? html`<section class="card" aria-labelledby="power"><h2 id="power">${
    words.power}</h2><ul class="facts-row">${told().map(row)}</ul></section>` : '')}`;
}

const bars = (state) => ({ ok: 4, late: 2, lost: 1 }[state] ?? 1);

export function sourcesCard() {
  const leads = computed(() => status()?.fix?.source);
  const opinion = ({ id, name, agrees }) => {
    if ([id, name].includes(leads())) return html`<span class="tag" data-kind="good">${words.leads}</span>`;
    if (agrees === null || agrees === undefined) return '';
    return html`<span class="tag" data-kind=${agrees ? null : 'bad'}>${agrees ? words.agrees : words.objects}</span>`;
  };
  const row = (one) => html`<li><span class="bars" data-of=${String(bars(one.state))} aria-hidden="true"><i></i><i></i>
    <i></i><i></i></span><div class="grow"><strong>${deviceName(one.name)}</strong><small>${
  words.kinds[one.kind] ?? one.kind}, ${() => words.age(ago(one.last))}</small></div>
    <div class="tags">${() => opinion(one)}<span class="tag" data-kind=${KIND[one.state]}>${
  words.sourceStates[one.state] ?? one.state}</span></div></li>`;
  return html`${() => (sources().length ? html`<section class="card" aria-labelledby="sources"><h2 id="sources">${
    words.whereFrom}</h2><ul class="list">${sources().map(row)}</ul></section>` : '')}`;
}
