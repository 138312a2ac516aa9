// An event's place on a map: its coordinates, the address in its location, or, for a room's name or nothing, the hub's
// own place.

import { isWeb } from '/addresses.js';

const isPlace = (it) => typeof it?.lat === 'number' && typeof it?.lon === 'number';

/** True if a text is an address rather than the name of a room: "Am Speicher 8, Bremen" and not "Workshop 2". */
export const isAddress = (text) => /\d/.test(text) && /,|\n|\b\d{4,5}\b/.test(text);

/** The address of a map: for the map app of an Android phone, else OpenStreetMap. Null for an unknown place. */
function mapAddress({ lat, lon, query, label }, isAndroid) {
  const name = label ? `(${encodeURIComponent(label)})` : '';
  if (isPlace({ lat, lon })) {
    return isAndroid ? `geo:${lat},${lon}?q=${lat},${lon}${name}`
      : `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=18/${lat}/${lon}`;
  }
  if (!query) return null;
  const text = encodeURIComponent(query.replace(/\s+/g, ' ').trim());
  return isAndroid ? `geo:0,0?q=${text}` : `https://www.openstreetmap.org/search?query=${text}`;
}

/** The first line of an address, and the others: separated by line breaks or commas. */
export function addressLines(address) {
  const lines = address.split(address.includes('\n') ? '\n' : ',').map((one) => one.trim()).filter(Boolean);
  return [lines[0], lines.slice(1).join(', ')];
}

/** The place to show: {lat, lon} or {query}, with a label for the pin. */
function placeOf(event, place) {
  if (isPlace(event)) return { lat: event.lat, lon: event.lon, label: event.location };
  if (event.location && isWeb(event.location)) return {};
  if (event.location && isAddress(event.location)) return { query: event.location };
  if (isPlace(place)) return { lat: place.lat, lon: place.lon, label: place.name };
  return { query: place?.address };
}

export const eventMap = (event, place, agent = navigator.userAgent) =>
  mapAddress(placeOf(event, place), /Android/.test(agent));
