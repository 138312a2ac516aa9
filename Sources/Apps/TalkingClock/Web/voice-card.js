// The voices: chosen, heard, recorded.

import { computed, each, html, signal } from '/ui.js';
import { ask } from '/people/ask.js';
import { onDay } from '/people/told.js';
import { careful } from '/doing.js';
import { drawing, icons } from '/clock/icons.js';
import { clock, module, removeVoice, save, settings, timeZone, voices } from '/clock/model.js';
import { written } from '/clock/parts.js';
import { missing, speakNow } from '/clock/speaker.js';
import { partsOf } from '/clock/record/phrases.js';
import { words } from '/clock/words.js';

const BELLS = 'bells';

const isChosen = ({ id }) => (settings().style === 'bells' ? id === BELLS : settings().voice === id);

/** The settings with which one hears a voice. A voice speaks its own language. */
const chosen = ({ id, language }) => (id === BELLS ? { style: 'bells' }
  : { style: 'speech', voice: id, ...(language ? { language } : {}) });

export function about({ id, kind, language, parts = [], created_at: at }) {
  if (id === BELLS) return words.bellsAbout;
  if (kind !== 'recorded') return words.builtInAbout[id] ?? '';
  const needed = partsOf(language ?? 'en').filter(({ isOptional }) => !isOptional);
  const has = needed.filter(({ part }) => parts.includes(part)).length;
  if (has < needed.length) return words.partly(has, needed.length);
  return at ? words.recorded(onDay(at)) : '';
}

const nameOf = ({ id, name }) => (id === BELLS ? words.bells : words.builtIn[id] ?? name);

export function voiceCard() {
  const hearing = careful(); // one chooses a voice while one hears it
  const { inTurn, note } = careful();
  const round = signal(0); // counts the hub's answers: a choice that it refused is undone
  const hear = (voice) => hearing.doing(() => {
    const with_ = { ...settings.peek(), ...chosen(voice) };
    return speakNow(module.peek().of(with_, timeZone.peek()), with_);
  });
  const remove = async (voice) => {
    const name = nameOf(voice);
    const sure = await ask({ title: words.removeTitle(name), text: words.removeText, yes: words.remove, danger: true });
    if (sure) inTurn(() => removeVoice(voice.id));
  };
  const choose = (voice) => () => inTurn(async () => {
    try {
      await save(chosen(voice));
    } finally {
      round.set(round.peek() + 1);
    }
  });
  const row = (voice) => {
    const name = nameOf(voice);
    return html`<div class="voice"><label><input type="radio" name="voice" .checked=${() => (round(), isChosen(voice))}
        @change=${choose(voice)}><span class="grow"><strong>${name}</strong><small>${about(voice)}</small></span>
      </label>
      ${voice.kind === 'recorded' ? html`<a class="round-button" href=${`/clock/record#${voice.id}`}
        aria-label=${words.goOn(name)}>${drawing(icons.microphone)}</a><button class="round-button" type="button"
        @click=${() => remove(voice)} aria-label=${`${words.remove}: ${name}`}>${
  drawing('M6 6l12 12M18 6L6 18')}</button>` : ''}
      <button class="round-button filled" type="button" aria-busy=${hearing.isBusy}
        disabled=${() => !module()} @click=${() => hear(voice)} aria-label=${words.hear(name)}>${
  drawing(icons.play)}</button></div>`;
  };
  const strokes = { id: BELLS, kind: 'built-in' };
  const rows = computed(() => {
    const all = voices().filter(({ id }) => id !== BELLS);
    const recorded = all.filter(({ kind }) => kind === 'recorded');
    return [...recorded, ...all.filter(({ kind }) => kind !== 'recorded'), strokes];
  });
  const isEmpty = () => clock.value() && !voices().some(({ kind }) => kind === 'recorded');
  return html`<section class="card" aria-labelledby="voice-title">
    <header class="head-row"><h2 id="voice-title">${words.voice}</h2>
      <a class="more-link" href="/clock/record">${drawing(icons.microphone)}${words.record}</a></header>
    ${() => (isEmpty() ? html`<p class="small quiet">${words.own}</p>` : '')}
    <div class="voices" role="radiogroup" aria-labelledby="voice-title">${each(rows, ({ id }) => id, row)}</div>
    ${() => (missing().length ? html`<p class="small note">${words.missing(missing().map((one) =>
    written(one, settings().language) || words.bells).join(', '))}</p>` : '')}${hearing.note}${note}</section>`;
}
