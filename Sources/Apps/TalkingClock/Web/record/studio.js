// Part for part of a voice: what to say, the recording, its waveform with what is kept, and the next one.

import { computed, ending, html, listening, signal } from '/ui.js';
import { change, load } from '/session.js';
import { upload } from '/upload.js';
import { careful } from '/doing.js';
import { holding } from '/offline.js';
import { drawing, icons } from '/clock/icons.js';
import { written } from '/clock/parts.js';
import { parts as voices, play } from '/clock/speaker.js';
import { inTurn, isUnreached } from '/clock/voices.js';
import { joined, RATE, wavOf } from '/clock/wav.js';
import { Microphone, obstacleOf } from '/clock/record/microphone.js';
import { minutesLeft, nextMissing, partsOf, saidWith } from '/clock/record/phrases.js';
import { cut, decibels, partOf, verdict } from '/clock/record/take.js';
import { levelMeter, verdicts, wave } from '/clock/record/wave.js';
import { words } from '/clock/record/words.js';

const CLOCK = '/api/v1/clock';
const VOICES = `${CLOCK}/voices`;
const LACKS_PARTS = 40971;
const PAUSE = 700; // milliseconds after a moved end until the part is sent again
const AGAIN = 20_000; // milliseconds until what did not reach the hub is sent once more

export function studio(voice) {
  const all = partsOf(voice.language);
  const done = signal(Object.keys(voice.parts ?? {}));
  const poor = signal([]); // parts of which the last recording was not good
  const at = signal(Math.max(0, nextMissing(all, done.peek())));
  const take = signal(null); // {samples, from, to, verdict}
  const mode = signal('idle'); // 'idle', 'starting', 'recording'
  const level = signal(-60);
  const obstacle = signal(null);
  const hint = signal('');
  const kept = signal(''); // 'saved', 'saving', 'unsaved'
  const sending = careful();
  const playing = careful();
  const now = computed(() => all[at()]);
  const isComplete = computed(() => all.every(({ part, isOptional }) => isOptional || done().includes(part)));
  const following = computed(() => nextMissing(all, done(), at()));
  const isOver = computed(() => following() < 0 || following() === at());
  const microphone = new Microphone({
    onlevel: (value) => level.set(Math.round(decibels(value))), onfull: () => stop(),
  });
  ending(() => microphone.close());
  ending(holding(() => mode.peek() !== 'idle' || (take.peek() !== null && kept.peek() !== 'saved')));
  listening(window, ['beforeunload'], (event) => {
    if (waiting.size > 0) event.preventDefault(); // the browser asks in its own words
  });

  // A recording is sent at once; one that changes meanwhile is sent again after it.
  const waiting = new Map();
  let timer;
  let again;
  ending(() => clearTimeout(again));
  const deliver = () => {
    clearTimeout(again);
    return sending.doing(async () => {
      while (waiting.size) {
        const [part, it] = waiting.entries().next().value;
        const file = new Blob([wavOf(cut(it.samples, RATE, [it.from, it.to]))], { type: 'audio/wav' });
        try {
          await upload(`${VOICES}/${voice.id}/parts/${part}`, file);
        } catch (error) {
          kept.set('unsaved');
          if (isUnreached(error)) again = setTimeout(deliver, AGAIN);
          throw error; // it waits on
        }
        if (waiting.get(part) === it) waiting.delete(part);
        if (take.peek() === it) kept.set('saved');
        done.set([...new Set([...done.peek(), part])]);
        voices().forget(voice.id);
      }
    });
  };
  const send = () => {
    clearTimeout(timer);
    waiting.set(now.peek().part, take.peek());
    kept.set('saving');
    return deliver();
  };
  const isGood = ({ loud, clipped, noisy }) => loud === 'good' && !clipped && !noisy;
  const judge = (samples, from, to) => {
    const found = verdict(samples, RATE, [from, to]);
    const others = poor.peek().filter((one) => one !== now.peek().part);
    poor.set(isGood(found) ? others : [...others, now.peek().part]);
    take.set({ samples, from, to, verdict: found });
    return found.length === 'good';
  };

  async function start() {
    if (mode.peek() !== 'idle') return;
    hint.set('');
    mode.set('starting');
    try {
      if (obstacleOf()) throw new Error('no microphone');
      await microphone.open();
      obstacle.set(null);
      microphone.start();
      mode.set('recording');
    } catch (error) {
      obstacle.set(obstacleOf(error));
      mode.set('idle');
    }
  }
  async function stop() {
    if (mode.peek() !== 'recording') return;
    mode.set('starting'); // the word stays the same until its sound is here
    let samples;
    try {
      samples = await microphone.stop();
    } catch {
      return hint.set(words.nothing);
    } finally {
      mode.set('idle');
    }
    const found = partOf(samples, RATE, now.peek().words, now.peek().index);
    if (!found) {
      take.set(null);
      return hint.set(words.nothing);
    }
    kept.set('');
    if (judge(samples, ...found)) await send();
  }
  const press = () => (mode.peek() === 'recording' ? stop() : start());
  const moved = (from, to) => {
    clearTimeout(timer);
    kept.set('unsaved');
    if (judge(take.peek().samples, from, to)) timer = setTimeout(send, PAUSE);
  };
  const go = (index) => {
    if (index < 0 || mode.peek() !== 'idle') return;
    clearTimeout(timer);
    if (kept.peek() === 'unsaved' && take.peek()?.verdict.length === 'good') send();
    take.set(null);
    hint.set('');
    kept.set('');
    at.set(index);
  };

  const mine = () => take.peek() && cut(take.peek().samples, RATE, [take.peek().from, take.peek().to]);
  const order = inTurn({ voice: voice.id, language: voice.language });
  const clip = async (part) => (part === now.peek().part && mine()) || await voices().clip(part, order)
    || new Float32Array(0);
  const hear = () => playing.doing(async () => play(await clip(now.peek().part)));
  const hearJoined = () => playing.doing(async () => play(joined(await Promise.all(now.peek().phrase.map(clip)))));

  const keys = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, select, textarea')) return;
    const { key } = event;
    const isOnControl = event.target.closest('button, a, [role=slider]') !== null;
    if (key === ' ' && !isOnControl) press();
    else if (key.toLowerCase() === 'p') hear();
    else if (key === 'ArrowRight' && event.target.getAttribute('role') !== 'slider') go(following.peek());
    else return;
    event.preventDefault();
  };
  listening(window, ['keydown'], keys);

  const stateOf = ({ part }) => (poor().includes(part) ? 'redo' : done().includes(part) ? 'done' : null);
  const label = ({ part, isOptional }) => {
    const word = written(part, voice.language);
    return isOptional ? words.ifYouLike(word) : word;
  };
  const progress = () => html`<ol class="parts" aria-label=${words.parts}>${all.map((one, index) => html`<li
      data-state=${() => stateOf(one)} data-optional=${one.isOptional}>
      <button type="button" aria-current=${() => (index === at() ? 'step' : null)} @click=${() => go(index)}><span>${
  () => [label(one), words[stateOf(one)]].filter(Boolean).join(', ')}</span></button></li>`)}</ol>`;
  const needed = all.filter(({ isOptional }) => !isOptional);
  const count = () => needed.filter(({ part }) => done().includes(part)).length;

  const phrase = () => html`<h1 id="say" lang=${voice.language}>${now().words.map((word, index) => [index ? ' ' : '',
    index === now().index ? html`<em>${word}</em>` : word])}</h1>`;
  const only = () => {
    const [before, word, after] = words.only(now().words[now().index]);
    return html`<p class="quiet">${before}<strong lang=${voice.language}>${word}</strong>${after}</p>`;
  };
  const trouble = () => {
    const [what, steps] = words.obstacles[obstacle()];
    return html`<div class="note" role="alert"><strong>${what}</strong>
      <ol class="hint-steps">${steps.map((one) => html`<li>${one}</li>`)}</ol></div>`;
  };
  const shown = () => {
    if (mode.peek() === 'recording') return html`<p class="recording" role="status">${words.recording}</p>`;
    if (take.peek()) return wave(take, now, moved);
    if (hint.peek()) return html`<p class="note" role="alert">${hint.peek()}</p>`;
    return html`<p class="empty">${done.peek().includes(now.peek().part) ? words.there : words.sayWhole}</p>`;
  };
  const judged = computed(() => (take() && mode() === 'idle' ? JSON.stringify(take().verdict) : ''));
  const isTaken = computed(() => take() !== null);
  const shape = computed(() => [mode() === 'recording', isTaken(), at(), hint(), done().includes(now().part)].join());
  const canHear = computed(() => isTaken() || done().includes(now().part));
  const use = careful();
  const useIt = () => use.doing(async () => {
    const wanted = { voice: voice.id, language: voice.language, style: 'speech' };
    try {
      await change('PATCH', CLOCK, { settings: wanted });
    } catch (error) {
      if (error.code !== LACKS_PARTS) throw error;
      const { settings } = await load(CLOCK);
      await change('PATCH', CLOCK, { settings: { ...wanted, ...saidWith(done.peek(), settings) } });
    }
    location.assign('/clock');
  });
  return html`<header class="record-head"><p><strong>${() => words.of(count(), needed.length)}</strong>
      <span class="quiet">${() => words.left(minutesLeft(all, done()))}</span></p>${progress()}</header>
    ${() => (isComplete() ? html`<section class="card complete" role="status"><strong>${words.allThere}</strong>
      <span>${words.allText}</span><button class="button primary" type="button" @click=${useIt}>${words.use}</button>
      ${use.note}</section>` : '')}
    <section class="prompt" aria-labelledby="say" tabindex="-1"><p class="eyebrow">${words.sayWhole}</p>
      <div aria-live="polite" aria-atomic="true">${phrase}</div>${only}</section>
    ${() => (obstacle() ? trouble() : '')}
    <section class="take-view" aria-label=${words.recording}>
      <div class="take-shown">${() => { shape(); return shown(); }}</div>
      ${levelMeter(level, take, mode)}
      <div class="take-foot"><div class="told" role="status" aria-atomic="false">${() =>
    (judged() ? verdicts(JSON.parse(judged())) : '')}
        <span class="small quiet">${() => (kept() ? words[kept()] : '')}</span></div>
        <button class="round-button filled" type="button" disabled=${() => !canHear()} @click=${hear}
          aria-label=${words.hear}>${drawing(icons.play)}</button></div>
      ${sending.note}${playing.note}</section>
    <div class="deck">
      <button class="button tall" type="button" disabled=${() => !canHear()} @click=${hearJoined}>${
  drawing(icons.play)}${words.hearJoined}</button>
      <button class="record-button" type="button" data-mode=${mode} @click=${press}
        aria-label=${() => (mode() === 'recording' ? words.stop : canHear() ? words.recordAgain : words.record)}>${() =>
  drawing(mode() === 'recording' ? icons.stop : icons.microphone)}<span>${() => (mode() === 'recording' ? words.stop
  : canHear() ? words.again : words.record)}</span></button>
      <button class="button primary tall" type="button" hidden=${isOver} @click=${() => go(following.peek())}>${() =>
  (isOver() ? '' : words.next(written(all[following()].part, voice.language)))}${drawing(icons.next)}</button>
      <a class="button tall" href="/clock" hidden=${() => !isOver()}>${words.toClock}</a>
    </div>
    <p class="keys-hint small quiet"><span class="keys">${words.keys.map(([key, what]) =>
    html`<kbd>${key}</kbd> ${what} `)}
      </span>${words.hint}</p>`;
}
