// A screen joins its album by itself, as often as it takes: nobody stands before it who would press a key again.

import { realClock } from '/realtime.js';

const AGAIN = 5_000; // milliseconds after a join that came to nothing, as while the hub starts

/** Joins and starts an album, unless the hub's answer says that it leads nowhere: `album.state` tells. */
export async function joinByItself(album, fields, clock = realClock) {
  try {
    await album.join(fields);
    album.start();
  } catch (error) {
    if (error.status === 403) album.state.set('passphrase');
    if (album.state.peek() !== 'outside') return;
    album.isUnreachable.set(true);
    clock.after(AGAIN, () => joinByItself(album, fields, clock));
  }
}
