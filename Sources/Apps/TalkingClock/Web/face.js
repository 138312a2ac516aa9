// The large clock face: the hands of now, where it speaks, the time until then, and the ship's bells.

import { computed, effect, ending, signal } from '/ui.js';
import { civil, clock as digits } from '/words.js';
import { minuteAt } from '/clock/speaking-rules.js';
import { arc, bellPlaces, figures, hands, hourTicks, nextDisc, rings, ticks } from '/clock/dial.js';
import { module, mutedUntil, rules, settings, timeZone } from '/clock/model.js';
import { words } from '/clock/words.js';

const SVG = 'http://www.w3.org/2000/svg';

/** The second of now, since 1970. */
export const second = signal(Math.floor(Date.now() / 1000));
export const minute = computed(() => minuteAt(second(), timeZone()));
/** The next announcement; null while there is none, or while nobody knows. */
export const next = computed(() => {
  const after = Math.max(second() - 1, mutedUntil() - 1);
  return rules()?.next(after) ?? null;
});

export const timeOf = (at) => digits(civil(at * 1000, timeZone()));

/** Ticks at the beginning of each second. */
function tick() {
  let timer;
  const beat = () => {
    second.set(Math.floor(Date.now() / 1000));
    timer = setTimeout(beat, 1000 - (Date.now() % 1000) + 5);
  };
  beat();
  addEventListener('visibilitychange', () => { if (!document.hidden) second.set(Math.floor(Date.now() / 1000)); });
  ending(() => clearTimeout(timer));
}

const text = figures.map(([figure, x, y]) => `<text class="hour" x="${x}" y="${y}">${figure}</text>`).join('');
const MARKUP = `<svg class="face" viewBox="0 0 400 400" role="img" xmlns="${SVG}">
  <circle class="rim" cx="200" cy="200" r="192"/><circle class="rim-light" cx="200" cy="200" r="187"/>
  <circle class="rim-line" cx="200" cy="200" r="182"/><circle class="dial" cx="200" cy="200" r="180"/>
  <path class="tick" d="${ticks}"/><path class="tick-hour" d="${hourTicks}"/><path class="until"/>${text}
  <path class="speaks"/><path class="speaks" data-kind="next"/>
  <g class="strokes"></g><text class="watch" x="200" y="288"></text>
  <g class="hand"><path d="M194 216L195.5 104 200 95 204.5 104 206 216z"/></g>
  <g class="hand"><path d="M196 224L197 56 200 47 203 56 204 224z"/></g>
  <circle class="boss" cx="200" cy="200" r="12"/>
  <g class="second"><path d="M200 240V52"/><circle cx="200" cy="232" r="8"/></g>
  <circle class="pin" cx="200" cy="200" r="6"/></svg>`;

function strokes(count) {
  return bellPlaces(count).map((x) => {
    const one = document.createElementNS(SVG, 'circle');
    for (const [name, value] of Object.entries({ cx: x, cy: 264, r: 5 })) one.setAttribute(name, value);
    return one;
  });
}

export function face() {
  tick();
  const template = document.createElement('template');
  template.innerHTML = MARKUP;
  const svg = template.content.firstElementChild;
  const [hour, big] = svg.querySelectorAll('.hand');
  const [said, coming] = svg.querySelectorAll('.speaks');
  const turn = (node, angle) => node.setAttribute('transform', `rotate(${angle.toFixed(1)} 200 200)`);
  const dialMinute = computed(() => minute() % 60);
  const nextAt = computed(() => next()?.at ?? null);
  effect(() => {
    const angles = hands(minute() * 60 + (second() % 60));
    turn(hour, angles[0]);
    turn(big, angles[1]);
    turn(svg.querySelector('.second'), angles[2]);
  });
  effect(() => {
    const at = nextAt();
    const isNear = at !== null && at - second() < 3600;
    const nextMinute = isNear ? minuteAt(at, timeZone()) % 60 : undefined;
    const every = settings().style === 'bells' ? 30 : settings().every;
    said.setAttribute('d', rings(every, nextMinute));
    coming.setAttribute('d', isNear ? nextDisc(nextMinute) : '');
    svg.querySelector('.until').setAttribute('d', isNear
      ? arc(dialMinute() + (second() % 60) / 60, at - second()) : '');
  });
  effect(() => {
    const bells = module()?.bells(minute());
    svg.querySelector('.strokes').replaceChildren(...strokes(bells?.count ?? 0));
    svg.querySelector('.watch').textContent = bells ? words.watches[bells.watch] : '';
  });
  effect(() => {
    minute(); // once a minute is enough
    svg.setAttribute('aria-label', words.face(timeOf(second.peek()), nextAt() === null ? null : timeOf(nextAt())));
  });
  return svg;
}
