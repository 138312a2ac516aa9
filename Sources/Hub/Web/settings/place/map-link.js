// Finds the coordinates in pasted text: a link of a map, a geo: address, or a pair of numbers.

const NUMBER = '[-+]?\\d{1,3}(?:\\.\\d+)?';

// The first match counts: a pin before the middle of the map.
const PATTERNS = [
  new RegExp(`!3d(${NUMBER})!4d(${NUMBER})`),                                      // Google's pin
  new RegExp(`[?&]mlat=(${NUMBER})&(?:amp;)?mlon=(${NUMBER})`),                    // OpenStreetMap's pin
  new RegExp('[?&#](?:q|query|ll|coordinate|center|destination|daddr|sll|cp)=(?:loc:|point\\.)?'
    + `(${NUMBER})(?:,|%2C|~|_|\\+| )+(${NUMBER})`, 'i'),
  new RegExp(`^geo:(${NUMBER}),(${NUMBER})`, 'i'),
  new RegExp(`/@(${NUMBER}),(${NUMBER})`), // the middle of Google's map
  new RegExp(`#(?:map=)?\\d{1,2}(?:\\.\\d+)?/(${NUMBER})/(${NUMBER})`),            // of OpenStreetMap's, and others
  new RegExp(`^\\(?(${NUMBER})\\s*[,; ]\\s*(${NUMBER})\\)?$`),                     // two numbers
];

const PART = '\\d{1,2}(?:[.,]\\d+)?';
const DEGREES = new RegExp(`(\\d{1,3}(?:[.,]\\d+)?)\\s*°\\s*(?:(${PART})\\s*['′’]\\s*)?`
  + `(?:(${PART})\\s*(?:"|″|”|'')\\s*)?([NSEWO])`, 'gi');

const inRange = (lat, lon) => Math.abs(lat) <= 90 && Math.abs(lon) <= 180;

/** 53°05'01.7"N 8°47'31.9"E; in German an E is an O. */
function fromDegrees(text) {
  const found = [...text.matchAll(DEGREES)];
  if (found.length !== 2) return null;
  const value = ([, degrees, minutes = '0', seconds = '0', side]) => {
    const part = (one) => Number(one.replace(',', '.'));
    return (/[SW]/i.test(side) ? -1 : 1) * (part(degrees) + part(minutes) / 60 + part(seconds) / 3600);
  };
  const north = found.find((one) => /[NS]/i.test(one[4]));
  const east = found.find((one) => /[EWO]/i.test(one[4]));
  return north && east ? { lat: value(north), lon: value(east) } : null;
}

const rounded = (value) => Math.round(value * 1e6) / 1e6; // steps of eleven centimetres

/** The {lat, lon} in a pasted text, or null. */
export function parsePlace(text) {
  const trimmed = (text ?? '').trim();
  let plain = trimmed;
  try { plain = decodeURIComponent(trimmed); } catch { /* not an encoded address */ }
  // Two numbers in German notation: 53,0838 8,7922
  const german = /^(-?\d{1,3},\d{3,})[;\s]+\s*(-?\d{1,3},\d{3,})$/.exec(plain);
  const place = german ? { lat: Number(german[1].replace(',', '.')), lon: Number(german[2].replace(',', '.')) }
    : fromDegrees(plain) ?? fromPatterns(plain);
  return place && inRange(place.lat, place.lon) ? { lat: rounded(place.lat), lon: rounded(place.lon) } : null;
}

function fromPatterns(text) {
  for (const pattern of PATTERNS) {
    const found = pattern.exec(text);
    if (found) return { lat: Number(found[1]), lon: Number(found[2]) };
  }
  return null;
}

/**
 * True if more came into a field at once than somebody types, such as by pasting: what is typed is a place before it is
 * whole, "53.0838, 8" on the way to "53.0838, 8.7922".
 */
export function isPasted(before, now) {
  let start = 0;
  while (start < now.length && now[start] === before[start]) start += 1;
  let end = 0;
  const most = Math.min(now.length, before.length) - start;
  while (end < most && now.at(-1 - end) === before.at(-1 - end)) end += 1;
  return now.length - start - end > 2;
}

/** True for a shortened link, whose coordinates are known only to its service. */
export const isShortLink = (text) => /^https?:\/\/(maps\.app\.goo\.gl|goo\.gl\/maps|osm\.org\/go|g\.co|maps\.apple\/)/i
  .test((text ?? '').trim());

/** One typed coordinate, with a comma or a point; null for an empty text, NaN for anything but a number. */
export function parseDegree(text) {
  const trimmed = (text ?? '').trim().replace(',', '.').replace(/°$/, '');
  return trimmed === '' ? null : Number(trimmed);
}
