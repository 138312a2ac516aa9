// The page of albums.

import { element, html } from '/ui.js';
import '/navigation.js';
import { keepPages } from '/offline.js';

element('albums-page', () => {
  keepPages();
  return html`<h1>Albums</h1>`;
});
