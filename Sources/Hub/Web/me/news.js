// Live events about oneself while the page is open: another device signed in, a new role.

import { effect, ending, signal } from '/ui.js';
import { Live } from '/realtime.js';
import { refreshSession, session } from '/session.js';

/** Counts possible changes of one's devices and passkeys; the lists on this page follow it. */
export const news = signal(0);

const tell = () => news.set(news.peek() + 1);

/** The connection needs a public channel; this one has no events. */
const live = new Live({
  url: `${location.origin.replace('http', 'ws')}/app/eightbells?protocol=7&client=eightbells-page&version=1`,
  channel: 'me',
});

/** Subscribes while somebody is signed in. */
export function followNews() {
  let person = null;
  const me = signal(null);
  effect(() => {
    const id = session()?.person?.id ?? null;
    if (id !== person) me.set(person = id);
  });
  effect(() => {
    if (me() === null) {
      live.stop();
      return;
    }
    const onevent = (name) => {
      if (name !== 'person') return;
      refreshSession();
      tell();
    };
    // Changes during a disconnection are fetched; a device signed out meanwhile is noticed.
    ending(live.listen(`private-person-${me()}`, { onevent, onlive: tell, onrefused: refreshSession }));
    live.start();
  });
  addEventListener('online', () => live.check());
  addEventListener('visibilitychange', () => { if (!document.hidden) live.check(); });
}
