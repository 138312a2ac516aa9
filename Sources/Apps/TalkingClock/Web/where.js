// The card with the places where it speaks: agents, other browsers, and this page.

import { computed, each, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { chooseHere, here } from '/clock/here.js';
import { drawing, icons } from '/clock/icons.js';
import { devices, setDevice, speakOn, timeZone } from '/clock/model.js';
import { state, switchHere } from '/clock/speaker.js';
import { words } from '/clock/words.js';
import { said } from '/moments.js';
import { deviceName } from '/people/told.js';
import { now } from '/place.js';

/** With its day, unless that is today: a device may have been away for weeks. */
export const whenOf = (at) => said(Date.parse(at), now(), timeZone());

function facts({ kind, last, lead_s: lead, on }) {
  if (kind !== 'agent') return words.browser;
  const told = [words.agent];
  if (last) told.push(words.last(whenOf(last.at), last.late_ms ?? null));
  if (on && lead) told.push(words.lead(lead));
  return told.join(' · ');
}

const volumeField = (label, value, change) => html`<label class="volume"><span class="visually-hidden">${label}</span>
  ${drawing(icons.speaker)}<input type="range" min="0" max="100" step="5" .value=${value} @change=${({ target }) =>
  change(Number(target.value), target)}></label>`;

export function whereCard() {
  const { inTurn, note } = careful();
  const asked = signal('');
  const ask = (one) => inTurn(async () => {
    asked.set('');
    await speakOn(one.id);
    asked.set(words.asked(deviceName(one.name)));
  });
  const turn = (one) => ({ target }) => {
    const on = target.checked;
    inTurn(async () => {
      try {
        await setDevice(one(), { on });
      } finally {
        target.checked = one().on;
      }
    });
  };
  const setVolume = (one) => (volume, target) => inTurn(() => setDevice(one(), { volume }), () => {
    target.value = one().volume;
  });
  // A row stays while its device speaks or is changed: somebody may have hold of its slider.
  const row = (id) => {
    let known;
    const one = computed(() => (known = devices().find((device) => device.id === id) ?? known));
    const isAgent = one().kind === 'agent'; // nothing wakes a browser
    const hasVolume = computed(() => isAgent && one().on);
    return html`<li>${drawing(isAgent ? icons.speaker : icons.phone)}
    <div class="grow"><strong>${() => deviceName(one().name)}${() => (one().silent
    ? html` <span class="tag" data-kind="bad">${words.silent}</span>` : '')}</strong>
      <small>${() => facts(one())}</small></div>
    ${isAgent ? html`<button class="round-button filled" type="button" @click=${() => ask(one())}
      aria-label=${() => words.speakOn(deviceName(one().name))}>${drawing(icons.play)}</button>` : ''}
    ${isAgent ? html`<label class="switch lone"><span class="visually-hidden">${() => deviceName(one().name)}</span>
      <input type="checkbox" role="switch" .checked=${() => one().on} @change=${turn(one)}></label>` : ''}
    ${() => (hasVolume() ? volumeField(words.volumeOf(deviceName(one.peek().name)), () => one().volume,
    setVolume(one)) : '')}</li>`;
  };
  const silent = () => devices().filter((one) => one.silent).map(({ name, last }) => {
    const text = computed(() => words.silentNote(deviceName(name), last ? whenOf(last.at) : ''));
    return html`<p class="note" data-kind="bad" role="alert">${text}</p>`;
  });
  // The slider is the same while it is dragged.
  const isOn = computed(() => here().on);
  const thisPage = html`<li>${drawing(icons.page)}<div class="grow"><strong>${words.thisPage}</strong>
      <small>${() => words.pageStates[state()]}</small></div>
    <label class="switch lone"><span class="visually-hidden">${words.thisPage}</span><input type="checkbox"
      role="switch" .checked=${() => here().on} @change=${({ target }) => switchHere(target.checked)}></label>
    ${() => (isOn() ? volumeField(words.volumeOf(words.thisPage), () => here().volume, (volume) =>
    chooseHere({ volume })) : '')}
    ${() => (navigator.wakeLock ? html`<label class="check awake"><input type="checkbox" .checked=${() => here().awake}
      @change=${({ target }) => chooseHere({ awake: target.checked })}> ${words.awake}</label>` : '')}</li>`;
  return html`<section class="card" aria-labelledby="where-title"><h2 id="where-title">${words.where}</h2>${silent}
    <ul class="list">${each(() => devices().map(({ id }) => id), (id) => id, row)}${thisPage}</ul>
    ${() => (devices().some(({ kind }) => kind === 'agent') ? '' : html`<p class="empty">${words.noDevices}</p>`)}
    <p class="small quiet">${words.closed}</p>
    ${() => (asked() ? html`<p class="small" role="status">${asked()}</p>` : '')}${note}</section>`;
}
