// Quiet hours: notifications that come then wait in the list without a sound, except for alarms.

import { computed, html } from '/ui.js';
import { now } from '/place.js';
import { careful } from '/doing.js';
import { setQuiet, settings } from '/bells/model.js';
import { placeOf, quietParts } from '/bells/quiet-plan.js';
import { words } from '/bells/words.js';

const USUAL = { from: '23:00', to: '07:00' };

const WIDTH = 280;

function drawing(quiet) {
  const path = quietParts(quiet).map(([from, to]) => `M${from * WIDTH} 4H${to * WIDTH}V18H${from * WIDTH}Z`).join('');
  const time = new Date(now());
  const at = WIDTH * placeOf(`${time.getHours()}:${time.getMinutes()}`);
  return html`<svg class="hours" viewBox="0 0 280 44" role="img" aria-label=${words.quiet.drawn(quiet)}>
    <rect class="trough" x="0" y="4" width="280" height="14" rx="4" /><path class="night" d=${path} />
    <path class="now" d=${`M${at} 0V22`} /><text x="0" y="40">12</text><text x="63" y="40">18</text>
    <text x="136" y="40">0</text><text x="206" y="40">6</text><text x="280" y="40" text-anchor="end">12</text></svg>`;
}

export function quietCard() {
  const { inTurn, note } = careful((error) => (error.fields?.quiet ? words.quiet.same : null));
  const turn = ({ target }) => {
    const wanted = target.checked ? USUAL : null;
    inTurn(async () => {
      try {
        await setQuiet(wanted);
      } finally {
        target.checked = Boolean(settings.value.peek()?.quiet);
      }
    });
  };
  const move = (name) => ({ target: { value } }) => inTurn(async () => {
    const before = settings.value.peek()?.quiet;
    if (value && before && before[name] !== value) await setQuiet({ ...before, [name]: value });
  });
  /**
   * A field that was left empty, or with a refused time, shows the time that counts again. Safari tells of a change
   * after `blur`, every browser before `focusout`.
   */
  const leave = (name) => ({ target }) => { target.value = settings.value.peek()?.quiet?.[name] ?? ''; };
  const quiet = () => settings.value()?.quiet;
  const isOn = computed(() => Boolean(quiet())); // the fields stay while their times change: somebody types in them
  const time = (name) => html`<label class="field"><span class="label">${words.quiet[name]}</span>
    <input type="time" required .value=${() => quiet()?.[name] ?? ''} @change=${move(name)} @focusout=${leave(name)}>
    </label>`;
  return html`<section class="card" aria-labelledby="quiet-title">
    <label class="switch"><strong id="quiet-title" class="as-heading">${words.quiet.title}</strong>
      <input type="checkbox" role="switch" .checked=${isOn}
        disabled=${() => settings.value() === undefined} @change=${turn}></label>
    ${() => (isOn() ? html`<p class="small quiet">${() => (quiet() ? words.quiet.on(quiet()) : '')}</p>
      ${() => (quiet() ? drawing(quiet()) : '')}<div class="times">${time('from')}${time('to')}</div>`
    : html`<p class="small quiet">${words.quiet.off}</p>`)}${note}</section>`;
}
