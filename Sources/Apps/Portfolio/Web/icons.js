// The drawings of the portfolio's pages, as in the navigation.

import { html } from '/ui.js';

export { drawing } from '/drawing.js';

export const icons = {
  back: 'M19 12H5M11 6l-6 6 6 6',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  check: 'M4.5 12.5l5 5L19.5 7',
  cross: 'M6 6l12 12M18 6L6 18',
  down: 'M12 4v11M7 10.5l5 5 5-5M4.5 20h15',
  play: 'M7 5l12 7-12 7z',
  pause: 'M8 5v14M16 5v14',
  screen: 'M3 4.5h18v12H3zM9 20.5h6M12 16.5v4',
  cover: 'M4 5h16v14H4zM4 16l4.5-4.5 4 4 2.5-2.5 5 5M15.5 8.5h.01',
  page: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  options: 'M4 12a1 1 0 1 1 2 0 1 1 0 0 1-2 0zM11 12a1 1 0 1 1 2 0 1 1 0 0 1-2 0zM18 12a1 1 0 1 1 2 0 1 1 0 0 1-2 0z',
  plus: 'M12 5v14M5 12h14',
  send: 'M21 3L3 10.5l7 3 3 7zM10 13.5L21 3',
  up: 'M12 19V5M6 11l6-6 6 6',
  lower: 'M12 5v14M6 13l6 6 6-6',
  bin: 'M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5',
  heart: 'M12 20S4 15 4 9.3A4.3 4.3 0 0 1 12 7a4.3 4.3 0 0 1 8 2.3C20 15 12 20 12 20z',
  share: 'M12 15V4M8 7.5L12 4l4 3.5M6 11H5v9h14v-9h-1',
};

/**
 * A round key with a drawing and a name. `path` and `name` may be functions that are followed; a key that `isOn` or not
 * keeps its name, or it would say of its state the opposite of what is.
 */
export const key = (path, name, press, isOn) => html`<button class="plate-key" type="button" aria-label=${name}
  title=${name} aria-pressed=${isOn ? () => String(isOn()) : null} @click=${press}><svg class="icon" viewBox="0 0 24 24"
  aria-hidden="true"><path d=${path} /></svg></button>`;
