// The geometry of the clock's face: pure functions. Its box is 400 wide and high.

const CENTRE = 200;
const TRACK = 162; // the radius on which it shows where it speaks

/** A point at a minute of the dial. */
export function point(minute, radius) {
  const angle = (minute / 30) * Math.PI;
  return [CENTRE + radius * Math.sin(angle), CENTRE - radius * Math.cos(angle)];
}

const said = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
const stroke = (minute, outer, inner) => `M${said(point(minute, outer))}L${said(point(minute, inner))}`;
const disc = (minute, radius) => {
  const [x, y] = point(minute, TRACK);
  const half = (by) => `a${radius} ${radius} 0 1 1 ${by} 0`;
  return `M${said([x - radius, y])}${half(2 * radius)}${half(-2 * radius)}z`;
};

const minutes = Array.from({ length: 60 }, (_, minute) => minute);
export const ticks = minutes.filter((one) => one % 5).map((one) => stroke(one, 170, 163)).join('');
export const hourTicks = minutes.filter((one) => one % 5 === 0 && one % 15).map((one) => stroke(one, 170, 154))
  .join('');
/** The figures with their places: [text, x, y]. */
export const figures = Array.from({ length: 12 }, (_, index) => {
  const [x, y] = point((index + 1) * 5, 126);
  return [String(index + 1), x.toFixed(1), (y + 11.5).toFixed(1)];
});

/** The rings where it speaks every so many minutes, without the next one. */
export const rings = (every, next) => minutes.filter((one) => one % every === 0 && one !== next)
  .map((one) => disc(one, every < 5 ? 2.5 : 5)).join('');

/** The disc where it speaks next. */
export const nextDisc = (minute) => disc(minute, 7.5);

/** The arc from a time of the hour (minutes, with a fraction) to the next announcement; empty for an hour and more. */
export function arc(from, seconds) {
  if (seconds <= 0 || seconds >= 3600) return '';
  const end = from + seconds / 60;
  return `M${said(point(from, TRACK))}A${TRACK} ${TRACK} 0 ${seconds > 1800 ? 1 : 0} 1 ${said(point(end, TRACK))}`;
}

/** The hands at seconds of the day, as angles in degrees: [hour, minute, second]. */
export const hands = (second) => [(second / 120) % 360, (second / 10) % 360, (second % 60) * 6];

/** The places of ship's bells from left to right: pairs, then the odd one. */
export function bellPlaces(count) {
  const places = Array.from({ length: count }, (_, index) => Math.floor(index / 2) * 32 + (index % 2) * 13);
  const middle = (places.at(-1) ?? 0) / 2;
  return places.map((one) => CENTRE + one - middle);
}
