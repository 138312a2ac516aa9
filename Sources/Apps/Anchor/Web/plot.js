// The plot: the boat in her true size, her track with its age as strength, the zones, and what one can take hold of.

import { computed, effect, ending, html, signal } from '/ui.js';
import {
  barLength, bearingOf, circle, compass, length, metres, path, ringStep, sector, trailsOf, vector, zonePath,
} from '/anchor/geometry.js';
import { drawing, icons } from '/anchor/icons.js';
import { HOURS, hubSecond, missed, reading, track, warningRoom } from '/anchor/model.js';
import { words } from '/anchor/words.js';

/** A boat of which nothing is known. */
export const BOAT = { length_m: 10, beam_m: 3.2, bow_m: 0 };
const HULL = 'M0-5.4C1.5-3.6 1.75-1 1.65 1.4 1.55 3 1.3 4.2 1.15 4.4H-1.15C-1.3 4.2-1.55 3-1.65 1.4-1.75-1-1.5-3.6'
  + ' 0-5.4z';
const CABIN = 'M-.8-1.6Q0-2.4 .8-1.6V1.6H-.8z';
const [HULL_LENGTH, HULL_BEAM, BOW] = [9.8, 3.3, 5.4]; // of the drawing
const SHORTEST = 22; // pixels: a smaller hull is nothing but its outline
const MARGIN = 1.14; // the edge of what is shown, in radii of the zone
const [NEAREST, FARTHEST] = [8, 20_000]; // metres from the middle to the edge
const STEP = 1.4; // of the buttons
let count = 0;

const n = (value) => String(Math.round(value * 100) / 100);
const escaped = (text) => text.replace(/[&<>"]/g, (one) => `&#${one.codePointAt(0)};`);

/** The boat at a place, as her antenna measures it: her bow is some metres ahead of it. */
function boatMarkup([east, north], heading, boat, unit) {
  const { length_m: long, beam_m: wide, bow_m: bow } = { ...BOAT, ...boat };
  const scale = long / HULL_LENGTH;
  const larger = Math.max(1, (SHORTEST * unit) / long);
  return `<g class="boat" transform="translate(${n(east)} ${n(-north)}) rotate(${n(heading)}) scale(${
    n(larger)}) translate(0 ${n(BOW * scale - bow)}) scale(${n(wide / HULL_BEAM)} ${n(scale)})"><path d="${HULL}"/>${
    larger > 1 ? '' : `<path class="cabin" d="${CABIN}"/>`}</g>`;
}

/** The zone: where it warns along its edges, what is kept out, and the edge. A circle has a ring to warn. */
function zoneMarkup(settings, edge, hatch) {
  const room = warningRoom(settings);
  const sectors = (settings.excluded ?? []).map(sector);
  const { zone } = settings;
  // A place is near an edge exactly if it lies in a stroke along it, with round corners.
  const near = (d) => `<path stroke-width="${n(2 * room)}" d="${d}"/>`;
  const clip = `<clipPath id="${hatch}-zone"><path clip-rule="evenodd" d="${edge}"/></clipPath>`;
  const bands = room ? [...(zone.shape === 'circle' ? [] : [edge]), ...sectors].map(near).join('') : '';
  return `${bands && `${clip}<g class="zone-band" clip-path="url(#${hatch}-zone)">${bands}</g>`}${
    sectors.map((d) => `<path class="keepout" fill="url(#${hatch})" d="${d}"/>`).join('')}${
    zone.shape === 'circle' ? `<path class="zone-warn" d="${circle(zone.radius_m - room)}"/>` : ''}<path
    class="zone-alarm" d="${edge}"/>`;
}

/** What is drawn, as groups of markup by their classes; `unit` is the metres of a pixel. */
function drawn({ settings, place, heading, fixes, gaps, now, reach, unit, isSmall, hatch }) {
  const anchor = [settings.anchor.lat, settings.anchor.lon];
  const { edge, reach: alarm } = zonePath(settings);
  const step = ringStep(reach);
  const rings = Array.from({ length: Math.ceil((reach * 3) / step) }, (_, index) => (index + 1) * step)
    .map((radius) => `<circle r="${n(radius)}"/>`).join('');
  const { trails, gaps: missing } = trailsOf(fixes, gaps, anchor, now, HOURS * 3600);
  const text = (x, y, said, kind = '') => `<text x="${n(x)}" y="${n(y)}" font-size="${n(13 * unit)}" stroke-width="${
    n(4 * unit)}" class="${kind}">${escaped(said)}</text>`;
  const at = place && metres(place, anchor);
  const isCircle = settings.zone.shape === 'circle';
  const warn = alarm * settings.warning;
  const isNear = alarm - warn < 18 * unit; // the two words would lie on each other: one is written inside its ring
  const ring = step * 2 < warn * (isNear ? 0.6 : 0.8) ? step * 2 : step;
  const { bow_m: bow = 0 } = settings.boat ?? {};
  return {
    rings: rings + `<path class="spokes" d="${compass(alarm * 0.94)}"/>`,
    zones: zoneMarkup(settings, edge, hatch),
    trails: trails.map((d, age) => (d ? `<path class="trail" data-age="${age}" d="${d}"/>` : '')).reverse().join('')
      + (missing ? `<path class="trail-gap" d="${missing}"/>` : ''),
    boat: at ? `<path class="rode" d="${path([[0, 0], add(at, vector(heading, bow))])}"/>${
      boatMarkup(at, heading, settings.boat, unit)}` : '',
    mark: `<g transform="scale(${n(unit * 0.95)})"><circle r="13" class="mark-ground"/><g
      transform="translate(-12 -12)"><path d="${icons.anchor}"/></g></g>`,
    labels: isSmall ? '' : text(0, -ring - 5 * unit, `${ring} m`)
      + (isCircle ? text(0, -warn + (isNear ? 17 : -6) * unit, words.warnAt(Math.round(warn)))
        + text(0, -alarm - 7 * unit, words.alarmAt(Math.round(alarm)), 'strong') : ''),
  };
}

const add = ([east, north], [more, up]) => [east + more, north + up];

/** The plot in words; `at` is the place that is judged. */
function said({ at, settings }) {
  const it = reading.peek();
  const room = warningRoom(settings);
  const { reach } = zonePath(settings);
  const isCircle = settings.zone.shape === 'circle';
  const zones = isCircle ? words.plotZones(Math.round(reach - room), Math.round(reach))
    : room === null ? '' : words.plotZone(Math.round(room));
  const where = at ? words.plotBoat(Math.round(length(at)), words.point(bearingOf(at))) : words.plotNoBoat;
  return [`${words.plot}:`, where, zones, it?.state === 'alarm' ? `${words.states.alarm}.` : ''].filter(Boolean)
    .join(' ');
}

/**
 * The plot. `settings` is a signal (null without an anchor); `handles(svg, view)` may add what one can take hold of;
 * `tools` are further buttons, `chart(settings, unit)` is what lies below, and `foot()` stands in the line under it.
 * `isSmall` draws no words.
 */
export function plot({ settings, handles, tools = () => '', chart = () => '', foot = () => '', isSmall = false }) {
  count += 1;
  const hatch = `hatch-${count}`;
  const zoom = signal(1);
  const size = signal([390, 320]);
  const anchor = () => [settings().anchor.lat, settings().anchor.lon];
  const held = signal(null); // {reach, anchor} of when a handle was taken: what moves with it would run away from it
  const fitting = computed(() => {
    if (!settings()) return 50;
    const at = reading()?.place;
    const boat = at ? length(metres(at, anchor())) : 0;
    const { reach: zone } = zonePath(settings());
    const whole = Math.max(zone, Math.min(boat * 1.05, zone * 4), 10);
    return Math.min(FARTHEST, Math.max(NEAREST, whole * MARGIN * zoom()));
  });
  const reach = computed(() => held()?.reach ?? fitting());
  const hold = (isHeld) => held.set(isHeld ? { reach: reach.peek(), anchor: anchor() } : null);
  const unit = computed(() => (2 * reach()) / Math.min(...size()));
  const template = document.createElement('template');
  template.innerHTML = `<svg class="chart" role="${handles ? 'group' : 'img'}"><defs><pattern id="${hatch}" width="8"
    height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0v8" class="hatch"/></pattern>
    </defs><g class="rings"></g><g class="zones"></g><g class="trails"></g><g class="vessel"></g><g class="mark"></g>
    <g class="labels"></g><g class="handles"></g><g class="scale-of"></g></svg>`;
  const svg = template.content.firstElementChild;
  const part = (name) => svg.querySelector(`.${name}`);
  const put = (name, markup) => {
    const group = part(name);
    if (group.was === markup) return;
    group.was = markup;
    group.innerHTML = markup;
  };
  const now = computed(() => Math.floor(hubSecond() / 10) * 10);
  effect(() => {
    const [wide, high] = size().map((one) => one * unit());
    const [east, north] = held() && settings() ? metres(held().anchor, anchor()) : [0, 0];
    const [left, top] = [east - wide / 2, -north - high / 2];
    svg.setAttribute('viewBox', [left, top, wide, high].map(n).join(' '));
    svg.querySelector('pattern').setAttribute('patternTransform', `rotate(45) scale(${n(unit())})`);
    const bar = barLength(wide * 0.28);
    const [right, bottom] = [left + wide - 20 * unit(), top + high - 8 * unit()];
    put('scale-of', isSmall ? '' : `<path class="scale-bar" d="M${n(right - bar)} ${n(bottom - 5 * unit())}v${
      n(5 * unit())}h${n(bar)}v${n(-5 * unit())}"/><text x="${n(right - bar / 2)}" y="${n(bottom - 8 * unit())}"
      font-size="${n(13 * unit())}" stroke-width="${n(4 * unit())}">${bar} m</text>`);
  });
  effect(() => {
    if (!settings()) return;
    const place = reading()?.place ?? null;
    const at = place && metres(place, [settings().anchor.lat, settings().anchor.lon]);
    const told = reading()?.heading ?? null;
    const heading = told ?? (at ? (bearingOf(at) + 180) % 360 : 0); // she lies to her anchor
    const groups = drawn({
      settings: settings(), place, heading, now: now(), reach: reach(), unit: unit(), isSmall, hatch,
      fixes: track().fixes, gaps: [...track().gaps, ...missed()],
    });
    for (const name of ['rings', 'zones', 'trails', 'mark', 'labels']) put(name, groups[name]);
    put('vessel', groups.boat);
    const bow = at && told !== null ? add(at, vector(told, settings().boat?.bow_m ?? 0)) : at;
    svg.setAttribute('aria-label', said({ at: bow, settings: settings() }));
  });
  handles?.(part('handles'), { svg, unit, hold });
  const turn = (times) => () => zoom.set(Math.min(12, Math.max(0.2, zoom.peek() * times)));
  const frame = html`<section class="plot" aria-label=${words.plot}><div class="plot-sea">${() =>
    chart(settings, unit)}${svg}<div class="plot-tools">${tools}</div></div>
    ${isSmall ? '' : html`<p class="north" aria-hidden="true"><svg viewBox="0 0 24 36"><path d="M12 4l7 16-7-4-7 4z" />
      <text x="12" y="34">N</text></svg></p>
    <div class="zoom"><button class="round-button" type="button" aria-label=${words.nearer} @click=${turn(1 / STEP)}>${
  drawing(icons.plus)}</button><button class="round-button" type="button" aria-label=${words.farther}
      @click=${turn(STEP)}>${drawing(icons.minus)}</button><button class="round-button" type="button"
      aria-label=${words.whole} @click=${() => zoom.set(1)}>${drawing(icons.whole)}</button></div>
    <div class="plot-foot"><p class="ages"><span>${words.hoursAgo(HOURS)}</span>${[6, 5, 4, 3, 2, 1, 0].map((age) =>
  html`<i data-age=${String(age)}></i>`)}<span>${words.nowWord}</span></p>${() => foot()}</div>`}</section>`
    .firstElementChild;
  const observer = new ResizeObserver(([{ contentRect: { width, height } }]) => {
    if (width > 0 && height > 0) size.set([width, height]);
  });
  observer.observe(frame.querySelector('.plot-sea'));
  ending(() => observer.disconnect());
  return frame;
}
