// What the hub tells about oneself while the page is open: another device signed in, an owner gave another role.

import { effect, ending, signal } from '/ui.js';
import { Live } from '/realtime.js';
import { refreshSession, session } from '/session.js';

/** Counts what may have changed of one's devices and passkeys; the lists on this page follow it. */
export const news = signal(0);

const tell = () => news.set(news.peek() + 1);

/** The line needs a channel of its own; this one is silent. */
const live = new Live({
  url: `${location.origin.replace('http', 'ws')}/app/eightbells?protocol=7&client=eightbells-page&version=1`,
  channel: 'me',
});

/** Listens as long as somebody is signed in. */
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
    // Whatever happened while nobody listened is fetched; whoever was signed out here is told so.
    ending(live.listen(`private-person-${me()}`, { onevent, onlive: tell, onrefused: refreshSession }));
    live.start();
  });
  addEventListener('online', () => live.check());
  addEventListener('visibilitychange', () => { if (!document.hidden) live.check(); });
}
