// The page around the picture.

import { graph } from './data.js';
import { $, amount, button, count, element, sample, short, when } from './elements.js';
import { dashes, strong } from './kinds.js';
import { language, words } from './words.js';

/** On a phone one panel is visible at a time: "list", "graph" or "details". */
export function panel(name) {
  document.body.dataset.panel = name;
  for (const one of $('panels').children) one.setAttribute('aria-pressed', String(one.dataset.panel === name));
}

/** Elements over the picture take room from it: at its bottom, on a phone at its top. */
export function cover(camera) {
  if ([...$('notes').children].every((one) => one.hidden)) return;
  const [frame, notes] = [$('picture'), $('notes')].map((one) => one.getBoundingClientRect());
  if (!notes.height) return;
  if (notes.top - frame.top < frame.height / 2) camera.covered.top = notes.bottom - frame.top + 8;
  else camera.covered.bottom = frame.bottom - notes.top + 8;
}

/** The legend of colours, and of the signs with the same meaning. */
const legend = () => words.legend.map(([colour, sign, what]) => element('li', {}, element('span', {
  class: `swatch ${colour}`, 'aria-hidden': 'true',
}), [sign, what].filter(Boolean).join(' ')));

const line = (kind) => element('li', {}, sample(dashes[kind]), words.kinds[kind]);

/** The legend of lines, if there are others than of strong references. */
export function labelLines(kinds) {
  $('lines').hidden = kinds.every((kind) => kind === strong);
  $('lines').replaceChildren(...kinds.map(line));
}

export function label() {
  document.documentElement.lang = language;
  const name = `${graph.process} (${graph.pid})`;
  document.title = `${name}: ${words.title}`;
  const amounts = `${words.blocks(graph.nodes, count(graph.nodes))}, ${amount(graph.bytes)}`;
  const stood = graph.method === 'core file' ? '' : `${words.stoodFor(`${short(graph.stopMilliseconds)} ms`)}, `;
  const took = `${stood}${words.took} ${short(graph.milliseconds)} ms`;
  $('filter').placeholder = words.filter;
  const names = {
    filter: words.filter, in: words.closer, out: words.further, help: words.help, list: words.list,
    inspector: words.details, side: words.list,
  };
  for (const [id, text] of Object.entries(names)) $(id).setAttribute('aria-label', text);
  const texts = {
    title: name, fit: words.fit, whole: words.whole, back: `‹ ${words.backTo}`, refold: words.foldAgain,
    'only-leaks': words.onlyLeaks, 'only-own': words.onlyOwn,
    facts: [when(graph.takenAt), amounts, took].filter(Boolean).join(' · '),
  };
  for (const [id, text] of Object.entries(texts)) $(id).textContent = text;
  for (const one of $('panels').children) {
    one.textContent = words[one.dataset.panel];
    one.addEventListener('click', () => panel(one.dataset.panel));
  }
  $('legend').setAttribute('aria-label', words.legendOf);
  $('lines').setAttribute('aria-label', words.linesOf);
  $('legend').append(...legend());
  $('keys').append(
    button(words.close, () => $('keys').close(), { class: 'close' }),
    element('section', {}, element('h2', {}, words.help),
      element('dl', {}, ...words.keys.flatMap(([key, what]) => [element('dt', {}, key), element('dd', {}, what)]))),
    element('section', {}, element('h2', {}, words.legendOf), element('ul', { class: 'legend' }, ...legend()),
      element('h2', {}, words.linesOf), element('dl', {}, ...dashes.flatMap((dash, kind) => [
        element('dt', {}, sample(dash), words.kinds[kind]), element('dd', {}, words.kindsMean[kind])]))));
}
