// One thing that fills the page while it is looked at, such as an event: the rest of the page makes way for it.

import { signal } from '/ui.js';

export const isDetail = signal(false);

/** Its title, for the window's own; empty while none is shown. */
export const detailTitle = signal('');
