// The recording as a picture: its waveform, the two ends of what is kept, its level, and the verdicts.

import { computed, effect, html } from '/ui.js';
import { drawing, icons } from '/clock/icons.js';
import { peaks, SHORTEST } from '/clock/record/take.js';
import { RATE } from '/clock/wav.js';
import { locale, words } from '/clock/record/words.js';

const COLUMNS = 150;
const [WIDTH, HEIGHT] = [900, 200];
const STEP = 0.01; // seconds that a key moves an end
const PAGE = 0.05;
const LOWEST = -60; // decibels at the left end of the meter

const number = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

/** `moved(from, to)` is called, in seconds, when one of the ends was moved. */
export function wave(take, now, moved) {
  const { samples } = take.peek();
  const length = samples.length / RATE;
  const heights = peaks(samples, COLUMNS);
  const most = Math.max(0.05, ...heights);
  const column = (index) => {
    const half = Math.max(2, (heights[index] / most) * (HEIGHT / 2 - 10));
    return `M${index * (WIDTH / COLUMNS) + 3} ${(HEIGHT / 2 - half).toFixed(0)}v${(2 * half).toFixed(0)}`;
  };
  const inside = (index) => {
    const at = ((index + 0.5) / COLUMNS) * length;
    return at >= take().from && at <= take().to;
  };
  const columns = heights.map((_, index) => index);
  const path = (isKept) => computed(() => (take() ? columns.filter((one) => inside(one) === isKept).map(column).join('')
    : ''));
  const x = (seconds) => (seconds / length) * WIDTH;
  const from = computed(() => take()?.from ?? 0);
  const to = computed(() => take()?.to ?? 0);

  let box;
  const ends = {
    start: [from, (value) => moved(clamp(value, 0, to.peek() - SHORTEST), to.peek())],
    end: [to, (value) => moved(from.peek(), clamp(value, from.peek() + SHORTEST, length))],
  };
  const handle = (name) => {
    const [value, set] = ends[name];
    const drag = (event) => {
      event.preventDefault();
      event.target.focus();
      event.target.setPointerCapture(event.pointerId);
      event.target.onpointermove = ({ clientX }) => {
        const { left, width } = box.getBoundingClientRect();
        set(((clientX - left) / width) * length);
      };
      event.target.onpointerup = () => { event.target.onpointermove = null; };
    };
    const keys = (event) => {
      const by = { ArrowLeft: -STEP, ArrowDown: -STEP, ArrowRight: STEP, ArrowUp: STEP, PageDown: -PAGE, PageUp: PAGE };
      const next = { Home: 0, End: length }[event.key]
        ?? (by[event.key] === undefined ? undefined : value.peek() + by[event.key]);
      if (next === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      set(next);
    };
    const made = html`<button class="trim-handle" type="button" data-at=${name} role="slider" aria-label=${words[name]}
      aria-valuemin="0" aria-valuemax=${length.toFixed(2)} aria-valuenow=${() => value().toFixed(2)}
      aria-valuetext=${() => words.seconds(number.format(value()))} @pointerdown=${drag} @keydown=${keys}></button>`;
    const button = made.firstElementChild;
    effect(() => { button.style.left = `${(value() / length) * 100}%`; });
    return made;
  };
  const { words: said, index } = now.peek();
  const made = html`<div class="wave-box">
    <svg class="waveform" viewBox="0 0 900 200" preserveAspectRatio="none" role="img" aria-label=${() =>
  words.wave(number.format(length), number.format(from()), number.format(to()))}>
      <path class="kept" d=${() => `M${x(from())} 0H${x(to())}V200H${x(from())}z`} />
      <path class="beside" d=${path(false)} /><path class="part" d=${path(true)} />
      <path class="trim" d=${() => `M${x(from())} 0v200M${x(to())} 0v200`} /></svg>
    ${handle('start')}${handle('end')}
    <p class="wave-words" aria-hidden="true"><span>${said.slice(0, index).join(' ')}</span><span>${said[index]}
      </span><span>${said.slice(index + 1).join(' ')}</span></p></div>`;
  box = made.firstElementChild;
  const row = made.querySelector('.wave-words');
  effect(() => {
    const shares = [from(), to() - from(), length - to()]
      .map((one) => `minmax(min-content, ${(one / length).toFixed(3)}fr)`);
    row.style.gridTemplateColumns = shares.join(' ');
  });
  return made;
}

/** The level of now, or of what is kept. */
export function levelMeter(level, take, mode) {
  const value = computed(() => Math.round(clamp(mode() === 'recording' ? level() : take()?.verdict.level ?? LOWEST,
    LOWEST, 0)));
  const made = html`<div class="level" role="meter" aria-label=${words.level} aria-valuemin="-60" aria-valuemax="0"
    aria-valuenow=${() => String(value())} aria-valuetext=${() => `${value()} dB`}><span>${words.quiet}</span>
    <span class="level-track"><i class="level-good"></i><i class="level-now"></i></span><span>${words.loud}</span>
    </div>`;
  const mark = made.querySelector('.level-now');
  effect(() => { mark.style.left = `${((value() - LOWEST) / -LOWEST) * 100}%`; });
  return made;
}

export function verdicts({ loud, clipped, noisy, length }) {
  const all = [
    [loud === 'good', words.verdicts[loud]], [!clipped, words.verdicts[clipped ? 'clipped' : 'unclipped']],
    [!noisy, words.verdicts[noisy ? 'noisy' : 'clean']],
    ...(length === 'good' ? [] : [[false, words.verdicts[length]]]),
  ];
  return html`<ul class="verdicts">${all.map(([isGood, text]) => html`<li data-good=${isGood}>${
    drawing(isGood ? icons.check : icons.warning)}${text}</li>`)}</ul>`;
}
