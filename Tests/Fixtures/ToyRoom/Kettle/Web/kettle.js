// The kettle's page: shows if there is hot water.

import { element, html, signal } from '/ui.js';
import '/navigation.js';
import { keepPages } from '/offline.js';

const kettle = signal(null);

element('kettle-state', () => {
  keepPages();
  fetch('/api/v1/kettle').then((answer) => answer.json()).then((json) => kettle.set(json));
  return html`<h1>${() => (kettle()?.hot ? 'There is hot water' : 'The kettle is cold')}</h1>`;
});
