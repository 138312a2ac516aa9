// The drawings of the albums' pages, as in the navigation.

import { html } from '/ui.js';

export const icons = {
  check: 'M4.5 12.5l5 5L19.5 7',
  hide: 'M4 4l16 16M9.5 6c.8-.3 1.6-.5 2.5-.5 6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.7 3.4M6.3 8A16 16 0 0 0 2.5 12S6 18.5 '
    + '12 18.5c1.5 0 2.9-.4 4.1-1',
  screen: 'M3 4.5h18v12H3zM9 20.5h6M12 16.5v4',
  print: 'M7 8.5V3.5h10v5M7 17H4v-8.5h16V17h-3M7 13.5h10v7H7z',
  download: 'M12 4v11M7 10.5l5 5 5-5M4.5 20h15',
  heart: 'M12 20S3.5 15 3.5 9A4.6 4.6 0 0 1 12 6.6 4.6 4.6 0 0 1 20.5 9c0 6-8.5 11-8.5 11z',
  undo: 'M9 6L4.5 10.5 9 15M4.5 10.5H14a4.75 4.75 0 0 1 0 9.5h-3',
  bin: 'M4.5 7h15M9.5 7V4.5h5V7M6.5 7l1 13h9l1-13M10 11v5.5M14 11v5.5',
  sound: 'M4 9.5v5h3.5L12 18.5v-13L7.5 9.5zM15.5 9a4 4 0 0 1 0 6M18 6.5a7.5 7.5 0 0 1 0 11',
  pictures: 'M4 5h16v14H4zM4 16l4.5-4.5 4 4 2.5-2.5 5 5M15.5 8.5h.01',
  microphone: 'M12 3.5a3 3 0 0 1 3 3v5a3 3 0 0 1-6 0v-5a3 3 0 0 1 3-3zM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3',
  live: 'M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM12 5.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM12 2.5v.01M18.7 5.3h.01M21.5 '
    + '12h.01M18.7 18.7h.01M12 21.5v.01M5.3 18.7h.01M2.5 12h.01M5.3 5.3h.01',
  cross: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
};

export const drawing = (path) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${path} />
  </svg>`;
