// The space's sensors, each with its age; old values are marked.

import { computed, each, element, html } from '/ui.js';
import { isDetail } from '/detail.js';
import { onNews, subject } from '/live.js';
import { ageWords, said } from '/moments.js';
import { now, zone } from '/place.js';
import { locale } from '/shell-words.js';
import { space } from '/space/model.js';
import { signWords } from '/space/sign-words.js';

const words = signWords.sensors;
const known = subject('sensors', () => '/api/v1/space/sensors', { room: 'space', isTold: false });
export const sensors = computed(() => known.value()?.sensors ?? []);

const age = (text) => ageWords()?.(Date.parse(text), now()) ?? said(Date.parse(text), now(), zone());
/** Money has its cents, and what is small, such as radiation, does not become 0. */
function digits(kind, size) {
  if (kind === 'account_balance' && size >= 0.01) return { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return size < 1 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 1 };
}
const number = (kind, value) => new Intl.NumberFormat(locale, digits(kind, Math.abs(value))).format(value);
export const measured = (kind, { value, unit }) =>
  [number(kind, value), words.units[unit] ?? unit].filter(Boolean).join('\u00a0');

function reading(sensor) {
  if (typeof sensor.value === 'boolean') return sensor.value ? words.locked : words.unlocked;
  if (sensor.properties) return Object.values(sensor.properties).map((one) => measured(sensor.kind, one)).join(' · ');
  return [measured(sensor.kind, sensor), (sensor.names ?? []).join(', ')].filter(Boolean).join(': ');
}

const isOld = (sensor) => sensor.stale || Date.parse(sensor.stale_at) <= now();

function view(sensor) {
  const kind = words.kinds[sensor.kind.split('.')[0]] ?? sensor.kind;
  const place = [sensor.location, sensor.name].filter((text, index, all) => text && all.indexOf(text) === index);
  return html`<li class="sensor" data-old=${() => isOld(sensor)}>
    <span class="sensor-what">${kind}<small>${place.join(', ')}</small></span>
    <span class="sensor-value" data-words=${typeof sensor.value === 'boolean'}>${reading(sensor)}</span>
    <small class="sensor-age">${() => (isOld(sensor) ? words.stale : words.heard)(age(sensor.reported_at))}</small>
  </li>`;
}

const key = ({ kind, name }) => `${kind} ${name}`;
export const refreshSensors = () => known.refresh();

/** Takes the event of one sensor. An answer that is on its way, and older, is asked for again. */
export function heardOf(data, commit) {
  known.heard(commit);
  if (!known.value.peek()) return;
  const rest = sensors.peek().filter((one) => key(one) !== key(data));
  known.value.set({
    sensors: data.gone ? rest : [...rest, data].sort((a, b) => (key(a) < key(b) ? -1 : 1)),
  });
}

element('space-sensors', () => {
  known.remember(); // without a network the old values are shown with their age
  refreshSensors();
  onNews('live', refreshSensors);
  onNews('sensor', heardOf);
  return html`<section class="beside" aria-labelledby="sensors"
    hidden=${() => isDetail() || !space() || sensors().length === 0}>
    <h2 id="sensors">${words.title}</h2>
    <ul class="sensors">${each(sensors, key, view)}</ul>
  </section>`;
});
