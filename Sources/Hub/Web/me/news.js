// Live events about oneself while the page is open: another device signed in. A new role is followed by all pages
// (/live.js).

import { effect, ending, signal } from '/ui.js';
import { live } from '/live.js';
import { session } from '/session.js';

/** Counts possible changes of one's devices and passkeys; the lists on this page follow it. */
export const news = signal(0);

const tell = () => news.set(news.peek() + 1);

/** Subscribes while somebody is signed in, for whom the navigation connects (/elsewhere.js). */
export function followNews() {
  let person = null;
  const me = signal(null);
  effect(() => {
    const id = session()?.person?.id ?? null;
    if (id !== person) me.set(person = id);
  });
  effect(() => {
    if (me() === null) return;
    const onevent = (name) => { if (name === 'person') tell(); };
    // Changes during a disconnection are fetched.
    ending(live.listen(`private-person-${me()}`, { onevent, onlive: tell }));
  });
}
