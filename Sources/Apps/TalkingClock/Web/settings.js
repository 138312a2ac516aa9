// The card for what is said, and when.

import { computed, html, signal } from '/ui.js';
import { place } from '/place.js';
import { careful } from '/doing.js';
import { save, settings } from '/clock/model.js';
import { INTERVALS } from '/clock/speaking-rules.js';
import { words } from '/clock/words.js';

const NIGHT = { from: '22:00', to: '07:00' };
const SAID = 3_000; // milliseconds for which "Saved" stands there

export function settingsCard() {
  const { inTurn, note } = careful();
  const saved = signal('');
  let timer;
  /** Saves what `make()` makes of the newest settings; what could not be saved is taken back where it was chosen. */
  const put = (make, undo) => inTurn(async () => {
    const changed = make();
    if (!changed) return;
    await save(changed);
    saved.set(Object.keys(changed)[0]);
    clearTimeout(timer);
    timer = setTimeout(() => saved.set(''), SAID);
  }, undo);
  const mark = (name) => html`<span class="saved" role="status">${() => (saved() === name ? words.saved : '')}</span>`;
  const choice = (name, label, options, read = String) => html`<label class="field"><span class="label">${label} ${
  mark(name)}</span><select @change=${({ target }) => {
    const chosen = { [name]: read(target.value) };
    put(() => chosen, () => { target.value = String(settings.peek()[name]); });
  }}>${
  options.map(([value, text]) => html`<option value=${String(value)}
      .selected=${() => String(settings()[name]) === String(value)}>${text}</option>`)}</select></label>`;
  const turn = (name, label, change, isOn) => html`<label class="switch"><span>${label} ${mark(name)}</span>
    <input type="checkbox" role="switch" .checked=${isOn} @change=${({ target }) => {
    const changed = change(target.checked);
    put(() => changed, () => { target.checked = isOn(); });
  }}></label>`;
  const list = (of) => Object.entries(of);
  const isSpeech = computed(() => settings().style !== 'bells');
  const language = computed(() => settings().language);
  const isTwelve = computed(() => settings().hours === 12);
  const hasQuiet = computed(() => Boolean(settings().quiet));
  const move = (name) => ({ target }) => {
    const { value } = target;
    put(() => {
      const { quiet } = settings.peek();
      return value && quiet && quiet[name] !== value ? { quiet: { ...quiet, [name]: value } } : null;
    }, () => { target.value = settings.peek().quiet?.[name] ?? ''; });
  };
  // Computed: other news of the clock write nothing over what is being typed.
  const time = (name) => html`<label class="field"><span class="label">${words[name]}</span>
    <input type="time" required .value=${computed(() => settings().quiet?.[name] ?? '')}
    @change=${move(name)}></label>`;
  // Home's is known a moment later. One that was chosen stays: the list would be drawn anew under the keyboard.
  const offered = new Set(['device']);
  const zones = computed(() => [...offered.add(place()?.timezone ?? 'device').add(settings().zone)].join(' '));
  return html`<section class="card clock-settings" aria-labelledby="settings-title">
    <h2 id="settings-title">${words.settings}</h2>
    ${() => (isSpeech() ? html`
      ${choice('every', words.every, INTERVALS.map((one) => [one, words.intervals(one)]), Number)}
      <div class="fields">${choice('language', words.language, list(words.languages))}
        ${choice('hours', words.hours, list(words.hoursOf), Number)}</div>
      ${() => (language() === 'de' && isTwelve() ? choice('quarters', words.quarters, list(words.quartersOf)) : '')}
      ${choice('strokes', words.strokes, list(words.strokesOf))}
      ${() => (language() === 'en' && isTwelve()
    ? turn('oclock', words.oclock, (on) => ({ oclock: on }), () => settings().oclock) : '')}` : '')}
    ${() => choice('zone', words.zone, zones().split(' ').map((zone) => [zone, words.zoneOf[zone] ?? zone]))}
    ${turn('quiet', words.quiet, (on) => ({ quiet: on ? NIGHT : null }), hasQuiet)}
    ${() => (hasQuiet() ? html`<div class="times">${time('from')}${time('to')}</div>` : '')}${note}</section>`;
}
