// What stands around the picture.

import { graph } from './data.js';
import { $, amount, button, count, element, short, when } from './elements.js';
import { language, words } from './words.js';

/** On a phone one thing is seen at a time: "list", "graph" or "details". */
export function panel(name) {
  document.body.dataset.panel = name;
  for (const one of $('panels').children) one.setAttribute('aria-pressed', String(one.dataset.panel === name));
}

export function label() {
  document.documentElement.lang = language;
  const name = `${graph.process} (${graph.pid})`;
  document.title = `${name}: ${words.title}`;
  const amounts = `${words.blocks(graph.nodes, count(graph.nodes))}, ${amount(graph.bytes)}`;
  $('filter').placeholder = words.filter;
  const names = {
    filter: words.filter, in: words.closer, out: words.further, help: words.help, list: words.list,
    inspector: words.details, side: words.list,
  };
  for (const [id, text] of Object.entries(names)) $(id).setAttribute('aria-label', text);
  const texts = {
    title: name, fit: words.fit, whole: words.whole, back: `‹ ${words.backTo}`, refold: words.foldAgain,
    'only-leaks': words.onlyLeaks, 'only-own': words.onlyOwn,
    facts: `${graph.takenAt === undefined ? '' : `${when(graph.takenAt)} · `}${amounts} · ${words.stood} ${short(graph.stopMilliseconds)} ms, ${words.took} ${
      short(graph.milliseconds)} ms`,
  };
  for (const [id, text] of Object.entries(texts)) $(id).textContent = text;
  for (const one of $('panels').children) {
    one.textContent = words[one.dataset.panel];
    one.addEventListener('click', () => panel(one.dataset.panel));
  }
  $('keys').append(
    element('h2', {}, words.help),
    element('dl', {}, ...words.keys.flatMap(([key, what]) => [element('dt', {}, key), element('dd', {}, what)])),
    button(words.close, () => $('keys').close(), { class: 'close' }));
}
