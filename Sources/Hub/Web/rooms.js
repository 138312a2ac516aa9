// The rooms of this hub, in the order of the navigation: each room there is has one entry, and nothing else needs to
// know of it. `address` is its page, `settings` the owner's page for it, `icon` the strokes of a drawing of 24 by 24.

import { words } from '/shell-words.js';

export const rooms = [
  {
    id: 'space',
    name: words.space,
    address: '/',
    settings: '/space/settings',
    icon: 'M5 21V5a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v16M3 21h18M12 6.5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM15.5 16v1.5',
  },
];
