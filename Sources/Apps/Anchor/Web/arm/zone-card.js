// The boat's room: the rode from the side, the radii, the shape, and the excluded sectors.

import { computed, html, signal } from '/ui.js';
import { numberField } from '/anchor/arm/numbers.js';
import { rodeView } from '/anchor/arm/rode.js';
import { words } from '/anchor/arm/words.js';
import { placeAt, reachOf, vector, bearingOf, metres } from '/anchor/geometry.js';
import { drawing, icons } from '/anchor/icons.js';
import { draftRules as rules, reading, warningRoom } from '/anchor/model.js';
import { BOAT } from '/anchor/plot.js';
import { decimal } from '/anchor/words.js';

const RODE = { length_m: 30, depth_m: 5, bow_height_m: 1.2, tide_m: 0, chain: true };
const CORNERS = 6;
const MOST_KEPT_OUT = 16;
const LEAST = 5; // metres of a radius
const KNOTS = 0.514444; // metres a second
const WIND = 20; // knots that are expected, until somebody says otherwise

/** The zone in another shape, as large. */
function reshaped(shape, settings) {
  const reach = reachOf(settings);
  if (shape === 'circle') return { shape, radius_m: Math.round(reach) };
  const anchor = [settings.anchor.lat, settings.anchor.lon];
  const at = reading.peek()?.place;
  const towards = at ? Math.round(bearingOf(metres(at, anchor))) : 180;
  if (shape === 'sector') {
    return { shape, from_deg: (towards + 270) % 360, to_deg: (towards + 90) % 360, inner_m: 0,
      outer_m: Math.round(reach) };
  }
  const points = Array.from({ length: CORNERS }, (_, index) => placeAt(vector((index * 360) / CORNERS, reach), anchor));
  return { shape: 'polygon', points };
}

/** The circle or sector with an edge so far from the anchor; corners are set by hand. */
const reaching = (zone, radius) => ({ ...zone, [zone.shape === 'circle' ? 'radius_m' : 'outer_m']: radius });

/** The least outer radius of a zone or a sector: it lies beyond the inner one. */
const leastOf = ({ inner_m: inner = 0 }) => Math.max(LEAST, inner + 1);

function keptOut({ shown, put: keep }) {
  const all = () => shown()?.excluded ?? [];
  const put = (excluded) => keep({ excluded });
  const count = computed(() => all().length);
  const field = (index, key, label, unit, bounds) => numberField({
    label, unit, ...bounds, value: () => all()[index]?.[key] ?? null,
    put: (value) => put(all().map((one, other) => (other === index ? { ...one, [key]: value } : one))),
  });
  const add = () => {
    const far = Math.max(LEAST, Math.round(reachOf(shown())));
    put([...all(), { from_deg: 40, to_deg: 90, inner_m: Math.min(20, Math.round(far / 2)), outer_m: far }]);
  };
  const rows = () => Array.from({ length: count() }, (_, index) => html`<li><div class="kept-out" role="group"
    aria-label=${`${words.shapes.sector} ${index + 1}`}>${
    field(index, 'from_deg', words.from, '°', { most: 360 })}${
    field(index, 'to_deg', words.to, '°', { most: 360 })}${
    field(index, 'inner_m', words.inner, 'm', { most: () => all()[index].outer_m - 1 })}${
    field(index, 'outer_m', words.outer, 'm', { least: () => leastOf(all()[index]), most: 5000 })}<button
    class="round-button danger" type="button" aria-label=${`${words.removeKeptOut}: ${index + 1}`} @click=${() =>
  put(all().filter((_one, other) => other !== index))}>${drawing(icons.close)}</button></div></li>`);
  return html`<details><summary>${words.keptOut}</summary><p class="small quiet">${words.keptOutAbout}</p>
    <ul class="choices">${rows}</ul>${() => (count() < MOST_KEPT_OUT ? html`<button class="button" type="button"
    @click=${add}>${words.addKeptOut}</button>` : '')}</details>`;
}

/**
 * The warning, of a circle in metres from the anchor, of any other zone before its edge. The share that the
 * settings have is that of the way to the edge from the zone's deepest place, of a circle from the anchor.
 */
function warningField({ shown, put }) {
  const isCircle = computed(() => shown()?.zone.shape === 'circle');
  const deepest = () => (shown() ? warningRoom({ ...shown(), warning: 0 }) ?? 0 : 0);
  const metresAt = (share) => deepest() * (isCircle() ? share : 1 - share);
  const tenths = (round, value) => round(Math.round(value * 1000) / 100) / 10;
  const least = () => tenths(Math.ceil, Math.min(metresAt(0.3), metresAt(0.98)));
  const most = () => tenths(Math.floor, Math.max(metresAt(0.3), metresAt(0.98)));
  return numberField({
    label: () => (isCircle() ? words.warning : words.warningEdge), least, most,
    value: () => (deepest() ? tenths(Math.round, metresAt(shown().warning)) : null),
    put: (value) => put({ warning: isCircle() ? value / deepest() : 1 - value / deepest() }),
  });
}

export function zoneCard(edit) {
  const { shown, put } = edit;
  const rode = computed(() => ({ ...RODE, ...shown()?.rode }));
  const boat = computed(() => ({ ...BOAT, ...shown()?.boat }));
  const reach = computed(() => Math.round((reachOf(shown()) ?? 0) * 10) / 10);
  const hasRadius = computed(() => ['circle', 'sector'].includes(shown()?.zone.shape));
  const wind = signal(WIND);
  const swing = computed(() => { // null for a rode that does not reach the ground
    if (!rules()) return null;
    const pull = rules().pull(wind() * KNOTS, boat().length_m, boat().beam_m);
    const { straight_m: straight, swing_m: curved, scope } = rules().rode(rode(), pull);
    if (straight === null) return null;
    return { straight, curved, scope, offered: rules().radius(straight, boat().bow_m, 1) };
  });
  const part = (name, of, label, more = {}) => numberField({
    label, value: () => of()[name], ...more,
    put: (value) => put({ [of === rode ? 'rode' : 'boat']: { ...of(), [name]: value } }),
  });
  const offer = () => {
    if (!rules()) return '';
    if (!swing()) return html`<p class="note">${words.tooShort}</p>`;
    const { straight, curved, scope, offered } = swing();
    const radius = Math.ceil(offered);
    const all = [words.reaches(Math.round(straight), decimal(boat().length_m), Math.round(straight + boat().length_m)),
      rode().chain ? words.curve(wind(), Math.round(curved)) : '', words.scope(Math.round(scope * 10) / 10)];
    const isOffered = hasRadius() && radius !== Math.round(reach()) && radius >= leastOf(shown().zone);
    return html`<p class="small quiet">${all.filter(Boolean).join(' ')}</p>${!isOffered ? ''
      : html`<p><button class="button" type="button" @click=${() =>
        put({ zone: reaching(shown().zone, radius) })}>${words.useRadius(radius)}</button></p>`}`;
  };
  const alarmField = () => (hasRadius() ? numberField({
    label: words.states.alarm, value: reach, least: () => leastOf(shown().zone), most: 5000,
    put: (value) => put({ zone: reaching(shown().zone, value) }),
  }) : '');
  return html`<section class="card rode-card" aria-labelledby="zone"><h2 id="zone">${words.howFar}</h2>
    ${rodeView({ rode, swing })}
    <div class="fields four">${part('length_m', rode, words.chainOut, { least: 1, most: 500 })}${
  part('depth_m', rode, words.waterNow, { least: 0.1, most: 500 })}${warningField(edit)}${alarmField}</div>${offer}
    <details><summary>${words.boatAndRode}</summary><div class="fields">${
  part('bow_height_m', rode, words.bowHeight, { most: 20 })}${
  part('tide_m', rode, words.tide, { most: 20 })}${
  numberField({ label: words.wind, unit: 'kn', most: 80, value: wind, put: (value) => wind.set(value) })}${
  part('length_m', boat, words.boatLength, { least: 2, most: 120 })}${
  part('beam_m', boat, words.boatBeam, { least: 0.5, most: 40 })}${
  part('bow_m', boat, words.bowAhead, { most: 120 })}</div>
    <label class="switch"><span>${words.isChain}</span><input type="checkbox" role="switch"
      .checked=${() => rode().chain}
      @change=${({ target }) => put({ rode: { ...rode(), chain: target.checked } })}></label></details>
    <label class="field"><span class="label">${words.shape}</span><select @change=${({ target }) =>
  put({ zone: reshaped(target.value, shown()) })}>${Object.entries(words.shapes).map(([key, text]) => html`<option
      value=${key} .selected=${() => shown()?.zone.shape === key}>${text}</option>`)}</select></label>
    ${keptOut(edit)}</section>`;
}
