// The plot's geometry: pure functions. Metres east and north of the anchor; in drawings y runs to the south.

const RADIUS = 6_371_008.8; // metres: the mean radius of the earth
const RADIANS = Math.PI / 180;

/** The number of ages by which a track is drawn; 0 is the newest. */
const AGES = 7;

const turned = (degrees) => ((degrees % 360) + 540) % 360 - 180;

/** A position as [east, north] in metres from another one, in the plane that touches the earth there. */
export const metres = ([lat, lon], [lat0, lon0]) => [
  turned(lon - lon0) * RADIANS * RADIUS * Math.cos(lat0 * RADIANS), (lat - lat0) * RADIANS * RADIUS];

/** The position at metres east and north of another one. */
export const placeAt = ([east, north], [lat0, lon0]) => [
  lat0 + north / RADIUS / RADIANS, turned(lon0 + east / (RADIUS * Math.cos(lat0 * RADIANS)) / RADIANS)];

/** Degrees from north, clockwise, of a vector. */
export const bearingOf = ([east, north]) => (Math.atan2(east, north) / RADIANS + 360) % 360;

/** The vector of a bearing and a distance. */
export const vector = (bearing, distance) => [
  Math.sin(bearing * RADIANS) * distance, Math.cos(bearing * RADIANS) * distance];

const number = (value) => String(Math.round(value * 100) / 100);
const point = ([east, north]) => `${number(east)} ${number(-north)}`;

/** A closed path around the anchor. */
export const circle = (radius) =>
  `M${number(radius)} 0A${number(radius)} ${number(radius)} 0 1 1 ${number(-radius)} 0`
  + `A${number(radius)} ${number(radius)} 0 1 1 ${number(radius)} 0z`;

/** A sector between two bearings, clockwise, and two distances. */
export function sector({ from_deg: from, to_deg: to, inner_m: inner, outer_m: outer }) {
  const wide = ((to - from) % 360 + 360) % 360;
  if (wide === 0) return circle(outer) + (inner > 0 ? circle(inner) : '');
  const large = wide > 180 ? 1 : 0;
  const arc = (radius, end, sweep) => `A${number(radius)} ${number(radius)} 0 ${large} ${sweep} ${point(end)}`;
  const head = `M${point(vector(from, outer))}${arc(outer, vector(to, outer), 1)}`;
  return inner > 0 ? `${head}L${point(vector(to, inner))}${arc(inner, vector(from, inner), 0)}z` : `${head}L0 0z`;
}

/** A path through points; closed for an area. */
export const path = (points, isClosed = false) =>
  (points.length ? `M${points.map(point).join(' ')}${isClosed ? 'z' : ''}` : '');

/** The path of a zone's edge, and how far it reaches, in metres. */
export function zonePath({ zone, anchor }) {
  if (zone.shape === 'circle') return { edge: circle(zone.radius_m), reach: zone.radius_m };
  if (zone.shape === 'sector') return { edge: sector(zone), reach: zone.outer_m };
  const points = zone.points.map((one) => metres(one, [anchor.lat, anchor.lon]));
  return { edge: path(points, true), reach: Math.max(0, ...points.map(length)) };
}

export const length = ([east, north]) => Math.hypot(east, north);

/** How far a zone reaches: the radius that its board names. */
export const reachOf = (settings) => (settings?.zone ? zonePath(settings).reach : null);

const UNSEEN = 600; // seconds between two fixes, beyond which nobody saw what was between

/** True if a fix of the track follows another one without a gap: `gaps` are [from, to] in seconds since 1970. */
const follows = (before, after, gaps) =>
  after[0] - before[0] <= UNSEEN && !gaps.some(([from, to]) => before[0] < to && after[0] > from);

/**
 * The track by age: {trails: a path of each age, gaps: a path of the straight lines over what nobody saw}. `fixes` are
 * [seconds since 1970, latitude, longitude, …] in their order.
 */
export function trailsOf(fixes, gaps, anchor, now, seconds) {
  const parts = Array.from({ length: AGES }, () => '');
  const open = { age: -1 };
  let missing = '';
  let before;
  for (const fix of fixes) {
    const at = metres([fix[1], fix[2]], anchor);
    const age = Math.max(0, Math.min(AGES - 1, Math.floor(((now - fix[0]) / seconds) * AGES)));
    if (before && follows(before.fix, fix, gaps)) {
      parts[age] += open.age === age ? ` ${point(at)}` : `M${point(before.at)} ${point(at)}`;
      open.age = age;
    } else {
      if (before) missing += `M${point(before.at)} ${point(at)}`;
      open.age = -1;
    }
    before = { fix, at };
  }
  return { trails: parts, gaps: missing };
}

const NICE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** The distance between rings, so that about four fit. */
export const ringStep = (reach) => NICE.find((one) => reach / one <= 5) ?? 10_000;

/** The length of the scale's bar, at most so many metres. */
export const barLength = (most) => [...NICE].reverse().find((one) => one <= most) ?? 1;

/** The marks of a compass card at a radius: 36 lines, every third longer. */
export const compass = (radius) => Array.from({ length: 36 }, (_, index) => {
  const inner = radius * (index % 3 === 0 ? 0.93 : 0.965);
  return `M${point(vector(index * 10, radius))} ${point(vector(index * 10, inner))}`;
}).join('');

/** A distance on the board: tenths below 10 m are noise, and from a kilometre on metres are. */
export const shown = (distance) => (distance < 1000 ? [Math.round(distance), 'm']
  : [Math.round(distance / 100) / 10, 'km']);

/** 26 as "026". */
export const degrees = (bearing) => String(Math.round(bearing) % 360).padStart(3, '0');
