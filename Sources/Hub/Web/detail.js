// One thing that fills the page while it is viewed, such as an event: the rest of the page is hidden.

import { signal } from '/ui.js';

export const isDetail = signal(false);

/** Its title, for the window's title; empty while none is shown. */
export const detailTitle = signal('');
