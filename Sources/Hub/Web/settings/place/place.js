// The space's place: its address, its point on the map, and its time zone.

import { html, signal } from '/ui.js';
import { areaField, choiceField, idOf, textField } from '/fields.js';
import { isPasted, isShortLink, parseDegree, parsePlace } from '/settings/place/map-link.js';
import { words } from '/settings/place/words.js';

const LOCATION_LIMIT = 20_000; // milliseconds for the device's geolocation

/** All zones that the browser knows, and the current one. */
function zones(current) {
  const known = Intl.supportedValuesOf?.('timeZone') ?? [];
  return [...new Set(['UTC', current, ...known])].sort();
}

export function placePart({ address, lat, lon, timezone }, errors) {
  const told = signal({ kind: '', text: '' });
  const point = signal(typeof lat === 'number' ? { lat, lon } : null);
  const element = (name) => document.getElementById(idOf(name));

  const read = () => {
    const [north, east] = ['lat', 'lon'].map((name) => parseDegree(element(name).value));
    point.set(north !== null && east !== null && Math.abs(north) <= 90 && Math.abs(east) <= 180
      ? { lat: north, lon: east } : null);
  };

  function put(place, text) {
    element('lat').value = words.degree(place.lat);
    element('lon').value = words.degree(place.lon);
    element('lat').dispatchEvent(new Event('input', { bubbles: true }));
    errors.set({ ...errors.peek(), lat: '', lon: '' });
    told.set({ kind: 'good', text });
  }

  function take(input) {
    const place = parsePlace(input.value);
    if (!place) return told.set({ kind: 'bad', text: isShortLink(input.value) ? words.placeShort : words.placeWrong });
    input.value = '';
    return put(place, words.placeFound);
  }

  let before = ''; // what stood in the field for a link

  /** What is pasted is looked at as it comes, what is typed when one leaves the field or presses Enter. */
  function paste({ target }) {
    const isWhole = isPasted(before, target.value);
    if (isWhole && target.value.trim()) take(target);
    else told.set({ kind: '', text: '' });
    before = target.value;
  }

  function typed({ target }) {
    if (target.value.trim()) take(target);
    before = target.value;
  }

  function here() {
    if (!globalThis.isSecureContext || !navigator.geolocation) {
      told.set({ kind: 'bad', text: words.hereInsecure });
      return;
    }
    told.set({ kind: '', text: words.hereAsking });
    navigator.geolocation.getCurrentPosition(({ coords }) => {
      const rounded = (value) => Math.round(value * 1e5) / 1e5;
      put({ lat: rounded(coords.latitude), lon: rounded(coords.longitude) },
        words.hereExact(Math.max(1, Math.round(coords.accuracy))));
    }, () => told.set({ kind: 'bad', text: words.hereDenied }), { enableHighAccuracy: true, timeout: LOCATION_LIMIT });
  }

  const map = () => {
    if (!point()) return '';
    const { lat: north, lon: east } = point();
    const link = `https://www.openstreetmap.org/?mlat=${north}&mlon=${east}#map=18/${north}/${east}`;
    return html`<a href=${link} target="_blank" rel="noopener">${words.showMap}</a>`;
  };
  const degrees = (name, label, value) => textField(name, {
    label, value: words.degree(value), errors, inputmode: 'decimal', spellcheck: 'false',
  });

  return {
    view: () => html`
      ${areaField('address', {
    label: words.address, hint: words.addressHint, optional: words.optional, value: address, errors, longest: 500,
    rows: 2,
  })}
      <fieldset>
        <legend>${words.place} <span class="optional">${words.optional}</span></legend>
        <div class="field">
          <label for="field-map-link">${words.placePaste}</label>
          <input id="field-map-link" inputmode="url" autocomplete="off" autocapitalize="none" spellcheck="false"
            aria-describedby="field-map-link-hint field-map-link-told" @input=${paste}
            @change=${typed}>
          <p class="hint" id="field-map-link-hint">${words.placeHint}</p>
          <p class="small" id="field-map-link-told" role="status" data-kind=${() => told().kind}>${() =>
      told().text}</p>
        </div>
        <p><button type="button" class="button" @click=${here}>${words.here}</button></p>
        <div class="fields" @input=${read}>
          ${degrees('lat', words.lat, lat)}${degrees('lon', words.lon, lon)}
        </div>
        <p>${map}</p>
      </fieldset>
      ${choiceField('timezone', {
    label: words.timezone, hint: words.timezoneHint, value: timezone, errors,
    options: zones(timezone).map((zone) => [zone, zone.replaceAll('_', ' ')]),
  })}`,
    take(wanted, wrong, form) {
      wanted.address = form.elements.address.value.trim() || null;
      wanted.timezone = form.elements.timezone.value;
      wanted.lat = parseDegree(form.elements.lat.value);
      wanted.lon = parseDegree(form.elements.lon.value);
      const bad = (value, most) => value !== null && !(Math.abs(value) <= most);
      if (bad(wanted.lat, 90)) wrong.lat = words.latWrong;
      if (bad(wanted.lon, 180)) wrong.lon = words.lonWrong;
      if (wanted.lat === null && wanted.lon !== null) wrong.lat ??= words.pairWrong;
      if (wanted.lon === null && wanted.lat !== null) wrong.lon ??= words.pairWrong;
    },
  };
}
