// The settings that are usually left as they are: the watch's patience, and further things it looks at.

import { html } from '/ui.js';
import { numberField } from '/anchor/arm/numbers.js';
import { words } from '/anchor/arm/words.js';

const EVERY = [0, 10, 60, 300, 900, 3600];

export function moreCard({ shown, put }) {
  const plain = (key, label, more) => numberField({ label, value: () => shown()?.[key] ?? null,
    put: (value) => put({ [key]: value }), ...more });
  const water = (key) => shown()?.depth_m?.[key] ?? null;
  const tenths = (value) => Math.round(value * 10) / 10; // 1.1 + 0.1 is more than 1.2
  const depth = (key, label, bounds) => numberField({
    label, isOptional: true, most: 500, ...bounds, value: () => water(key),
    put: (value) => {
      const next = { min: null, max: null, ...shown().depth_m, [key]: value };
      put({ depth_m: next.min === null && next.max === null ? null : next });
    },
  });
  const still = () => ({ every_s: 0, spoken: true, ...shown()?.still_watching });
  return html`<section class="card" aria-labelledby="more-title"><h2 id="more-title">${words.moreSettings}</h2>
    <details><summary>${words.patience}</summary><div class="fields">${
  plain('grace_s', words.grace, { unit: 's', most: 600 })}${plain('lost_s', words.lostAfter, { unit: 's',
    least: () => Math.max(30, shown().gap_s), most: 3600 })}${plain('gap_s', words.gapFrom, { unit: 's', least: 10,
    most: () => Math.min(3600, shown().lost_s) })}${plain('beat_s', words.beat,
    { unit: 's', least: 10, most: 3600 })}</div></details>
    <details><summary>${words.alsoLook}</summary><div class="fields">${
  plain('wind_shift_deg', words.windShift, { unit: '°', least: 10, most: 180, isOptional: true })}${
  depth('min', words.depthMin, { most: () => (water('max') === null ? 500 : tenths(water('max') - 0.1)) })}${
  depth('max', words.depthMax, { least: () => (water('min') === null ? 0 : tenths(water('min') + 0.1)) })}${
  plain('creep', words.creep, { unit: '× R', least: 0.1, most: 1 })}</div></details>
    <label class="field"><span class="label">${words.stillWatching}</span><select @change=${({ target }) =>
  put({ still_watching: { ...still(), every_s: Number(target.value) } })}>${EVERY.map((one) => html`<option
      value=${String(one)} .selected=${() => still().every_s === one}>${words.everySeconds(one)}</option>`)}</select>
    </label>
    <label class="switch"><span>${words.spoken}</span><input type="checkbox" role="switch" .checked=${() =>
  still().spoken} @change=${({ target }) => put({ still_watching: { ...still(), spoken: target.checked } })}></label>
    </section>`;
}
