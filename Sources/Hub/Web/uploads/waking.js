// A queue in a browser: where its originals are kept, which of several tabs sends, and when it goes on: at once after a
// change of the network, and when somebody looks at the page again.

import { effect, ending, listening } from '/ui.js';
import { stayAwake } from '/awake.js';
import { channelNamed } from '/keep.js';
import { realClock } from '/realtime.js';
import { Hasher } from '/uploads/hashing.js';
import { Lease } from '/uploads/lease.js';
import { Originals, OriginalsInMemory } from '/uploads/originals.js';
import { inTime, previewOf } from '/uploads/preview.js';
import { Queue } from '/uploads/queue.js';

const OPENED = 10_000; // milliseconds in which a browser opens its storage: Safari may leave a page without an answer

/** The phone's storage; in memory if the browser has none for us. `name` is that of a database. */
export async function originalsHere(name) {
  const originals = new Originals(name);
  try {
    await inTime(originals.all(), OPENED);
    return originals;
  } catch (error) {
    console.warn(error);
    return new OriginalsInMemory();
  }
}

/**
 * {queue, lease, others}: a queue whose originals are in a `database`, and which sends in one tab of those with this
 * `name`. `others` is the BroadcastChannel `channel`, by which tabs tell each other of changes; null if the
 * browser has none. `world` is what a Queue needs to know of its room.
 */
export async function queueHere({ database, name, channel, ...world }) {
  const lease = new Lease(name);
  const hasher = new Hasher();
  const others = channelNamed(channel);
  const queue = new Queue({
    originals: await originalsHere(database),
    clock: realClock,
    mayRun: () => lease.take(),
    tell: () => others?.postMessage(null),
    prepare: previewOf,
    hash: (source) => hasher.hash(source),
    ...world,
  });
  lease.start(() => queue.wake());
  return { queue, lease, others };
}

/** Wakes a queue whenever it may go on, as long as the element that is being made. */
export function wakeQueue(queue, lease) {
  const wake = () => { if (!document.hidden) queue.wake(); };
  listening(window, ['online', 'pageshow', 'focus'], wake);
  listening(document, ['visibilitychange'], wake);
  listening(window, ['pagehide'], () => lease.end());
  listening(window, ['beforeunload'], (event) => {
    const isLeft = queue.progress.peek().left > 0 || queue.failed.peek().length > 0;
    if (queue.isKeeping.peek() || (queue.isFleeting.peek() && isLeft)) event.preventDefault();
  });
  effect(() => stayAwake('sending', queue.progress().left > 0 && !['stopped', 'full', 'room'].includes(queue.pause())));
  ending(() => {
    queue.stop();
    lease.end();
    stayAwake('sending', false);
  });
}
