// Where originals are kept on this device, and when a queue goes on: at once after a change of the network, and when
// somebody looks at the page again.

import { effect, ending } from '/ui.js';
import { Originals, OriginalsInMemory } from '/uploads/originals.js';
import { stayAwake } from '/awake.js';

/** The phone's storage; in memory if the browser has none for us. `name` is that of a database. */
export async function originalsHere(name) {
  const originals = new Originals(name);
  try {
    await originals.all();
    return originals;
  } catch (error) {
    console.warn(error);
    return new OriginalsInMemory();
  }
}

/** Wakes a queue whenever it may go on, as long as the element that is being made. */
export function wakeQueue(queue, lease) {
  const done = new AbortController();
  const wake = () => { if (!document.hidden) queue.wake(); };
  for (const name of ['online', 'pageshow', 'focus']) addEventListener(name, wake, { signal: done.signal });
  document.addEventListener('visibilitychange', wake, { signal: done.signal });
  addEventListener('pagehide', () => lease.end(), { signal: done.signal });
  addEventListener('beforeunload', (event) => {
    if (queue.isFleeting.peek() && queue.progress.peek().left > 0) event.preventDefault();
  }, { signal: done.signal });
  effect(() => stayAwake('sending', queue.progress().left > 0 && !['stopped', 'full'].includes(queue.pause())));
  ending(() => {
    done.abort();
    queue.stop();
    lease.end();
    stayAwake('sending', false);
  });
}
