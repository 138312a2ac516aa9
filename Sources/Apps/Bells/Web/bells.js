// The page of the room: what has rung.

import { element, html, signal } from '/ui.js';
import '/navigation.js';
import { keepPages } from '/offline.js';

const items = signal([]);

element('bells-list', () => {
  keepPages();
  fetch('/api/v1/bells').then((answer) => answer.json()).then((json) => items.set(json.items ?? []));
  return html`<h1>Bells</h1><ul>${() => items().map((item) => html`<li>${item.content.title}</li>`)}</ul>`;
});
