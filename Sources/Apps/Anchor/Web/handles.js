// The handles of the plot, moved by hand or by keys: the edges of the zone, its corners, and the anchor.
// Arrows move by one metre or degree, Page Up and Down by five, Escape undoes.

import { computed, effect } from '/ui.js';
import { bearingOf, degrees, length, metres, placeAt, vector } from '/anchor/geometry.js';
import { warningRoom } from '/anchor/model.js';
import { words } from '/anchor/words.js';

const SVG = 'http://www.w3.org/2000/svg';
const [SMALL, LARGE] = [5, 5_000]; // metres of a radius
const [CIRCLE_AT, WARNING_AT] = [315, 285]; // the bearings at which a circle is held: neither handle covers the other
const [LEAST_WARNING, MOST_WARNING] = [0.3, 0.98];
const STEPS = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 5, PageDown: -5 };
const WAYS = { ArrowUp: [0, 1], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowLeft: [-1, 0] };

const within = (value, least, most) => Math.min(most, Math.max(least, value));
const whole = (value) => Math.round(value);

/** True if a key is one that steps. */
const stepping = (by) => (key) => {
  if (STEPS[key]) by(STEPS[key]);
  return Boolean(STEPS[key]);
};

function radial({ kind, label, bearing, value, set, least = SMALL, text = (now) => words.metres(whole(now)) }) {
  const put = (to) => { if (to !== whole(value())) set(to); }; // one who only touches it changes nothing
  return {
    kind, label, value, least, most: LARGE, angle: bearing, text,
    at: () => vector(bearing(), value()), moved: (at) => put(within(whole(length(at)), least, LARGE)),
    keyed: stepping((step) => set(within(whole(value()) + step, least, LARGE))),
  };
}

function turning({ label, value, far, set }) {
  const round = (to) => ((whole(to) % 360) + 360) % 360;
  return {
    kind: 'alarm', label, value, least: 0, most: 359, angle: () => value() + 90, text: (now) => `${degrees(now)}°`,
    at: () => vector(value(), far()), moved: (at) => set(round(bearingOf(at))),
    keyed: stepping((step) => set(round(value() + step))),
  };
}

function free({ kind, label, at, set, remove }) {
  return {
    kind, label, at, text: () => words.place(whole(length(at())), words.point(bearingOf(at()))), moved: set,
    keyed: (key, isBig) => {
      const isRemoving = Boolean(remove) && ['Delete', 'Backspace'].includes(key);
      if (isRemoving) remove();
      const [east, north] = WAYS[key] ?? [];
      if (east === undefined) return isRemoving;
      const times = isBig ? 5 : 1;
      set([at()[0] + east * times, at()[1] + north * times]);
      return true;
    },
  };
}

/** The handles of a zone, by its shape of now; `change` takes a part of the settings. */
function handlesOf(settings, change) {
  // If these were followed, a change would make the handles anew in the hand.
  const { shape, points: corners, inner_m: inner = 0 } = settings.peek().zone;
  const zone = () => settings().zone;
  const put = (changed) => change({ zone: { ...zone(), ...changed } });
  const room = () => warningRoom(settings()) ?? 0;
  const warned = ({ reach, ...more }) => radial({
    kind: 'warn', label: words.warnRadius, value: () => reach() - room(), ...more,
    set: (to) => {
      const deepest = warningRoom({ ...settings(), warning: 0 }); // of a circle its radius
      const share = deepest && 1 - (reach() - to) / deepest;
      if (deepest) change({ warning: within(Math.round(share * 1000) / 1000, LEAST_WARNING, MOST_WARNING) });
    },
  });
  if (shape === 'circle') {
    return [radial({ kind: 'alarm', label: words.alarmRadius, bearing: () => CIRCLE_AT, value: () => zone().radius_m,
      set: (to) => put({ radius_m: to }) }), warned({ reach: () => zone().radius_m, bearing: () => WARNING_AT })];
  }
  if (shape === 'sector') {
    const at = (part) => () => zone().from_deg + ((((zone().to_deg - zone().from_deg) % 360) + 360) % 360) * part;
    const far = () => zone().outer_m;
    return [
      radial({ kind: 'alarm', label: words.alarmRadius, bearing: at(1 / 4), value: far,
        least: Math.max(SMALL, inner + 1), set: (to) => put({ outer_m: to }) }),
      warned({ reach: far, bearing: at(1 / 2), text: () => words.beforeEdge(whole(room())) }),
      turning({ label: words.sectorFrom, value: () => zone().from_deg, far, set: (to) => put({ from_deg: to }) }),
      turning({ label: words.sectorTo, value: () => zone().to_deg, far, set: (to) => put({ to_deg: to }) }),
    ];
  }
  const centre = () => [settings().anchor.lat, settings().anchor.lon];
  const points = () => zone().points;
  return corners.map((_, index) => free({
    kind: 'alarm', label: words.corner(index + 1), at: () => metres(points()[index], centre()),
    set: (to) => put({ points: points().map((one, other) => (other === index ? placeAt(to, centre()) : one)) }),
    remove: () => points().length > 3 && put({ points: points().filter((_one, other) => other !== index) }),
  }));
}

function node(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** One handle's element, which follows its value. */
function handle(it, { svg, unit, hold }, { done, undo, isThere }) {
  const isSlider = Boolean(it.value);
  const group = node('g', {
    // As a button, a corner would get no arrow keys from a screen reader on Windows.
    class: 'handle', 'data-kind': it.kind, tabindex: 0, role: isSlider ? 'slider' : 'application',
    'aria-label': it.label,
    ...(isSlider ? { 'aria-valuemin': it.least, 'aria-valuemax': it.most } : {}),
  });
  group.append(node('circle', { class: 'hit', r: 22 }), node('circle', { r: 10 }),
    node('path', { d: 'M-4 2.5h8M-4-2.5h8' }));
  effect(() => {
    if (!isThere()) return; // the anchor is weighed, or the zone has another shape: it goes in a moment
    const [east, north] = it.at();
    const angle = it.angle ? it.angle() : 0;
    group.setAttribute('transform',
      `translate(${east.toFixed(2)} ${(-north).toFixed(2)}) scale(${unit().toFixed(4)}) rotate(${angle.toFixed(1)})`);
    if (isSlider) group.setAttribute('aria-valuenow', whole(it.value()));
    group.setAttribute(isSlider ? 'aria-valuetext' : 'aria-description', it.text(isSlider ? it.value() : 0));
  });
  let isHeld = false;
  const place = ({ clientX, clientY }) => {
    const at = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [at.x, -at.y];
  };
  group.addEventListener('pointerdown', (event) => {
    isHeld = true;
    hold(true);
    group.setPointerCapture(event.pointerId);
    event.preventDefault();
    group.focus({ preventScroll: true });
  });
  group.addEventListener('pointermove', (event) => { if (isHeld) it.moved(place(event)); });
  group.addEventListener('lostpointercapture', () => {
    hold(false);
    if (isHeld) done();
    isHeld = false;
  });
  group.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      isHeld = false;
      return undo();
    }
    if (!it.keyed(event.key, event.shiftKey)) return undefined;
    event.preventDefault();
    return done(true);
  });
  return group;
}

/**
 * For the plot: the handles of `settings`, a signal. `change(part)` shows a change at once, `done(isByKey)` keeps it,
 * `undo()` takes it back. With `movesAnchor`, the anchor can be moved, too.
 */
export const handlesFor = ({ settings, change, done, undo, movesAnchor = () => false }) => (group, view) => {
  const kind = computed(() => `${settings()?.zone.shape}-${settings()?.zone.points?.length ?? 0}-${movesAnchor()}`);
  effect(() => {
    const now = kind();
    const isThere = () => kind() === now;
    view.hold(false); // a handle that goes is in no hand any more
    if (!settings.peek()) return group.replaceChildren();
    const all = handlesOf(settings, change);
    if (movesAnchor()) {
      const start = settings.peek().anchor;
      const from = [start.lat, start.lon];
      all.push(free({
        kind: 'anchor', label: words.anchorHandle, at: () => [0, 0],
        set: (to) => {
          const now = settings.peek().anchor;
          const [lat, lon] = placeAt(to, now ? [now.lat, now.lon] : from);
          change({ anchor: { lat, lon } });
        },
      }));
    }
    return group.replaceChildren(...all.map((one) => handle(one, view, { done, undo, isThere })));
  });
};
