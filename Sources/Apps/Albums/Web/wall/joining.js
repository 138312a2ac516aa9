// A screen joins its album by itself, as often as it takes: nobody stands before it who would press a key again.

import { realClock } from '/realtime.js';

/** Milliseconds after a join that came to nothing, as while the hub starts; a host may open a closed album again. */
const AGAIN = { outside: 5_000, closed: 60_000 };

/** Joins and starts an album, unless the hub's answer says that it leads nowhere: `album.state` tells. */
export async function joinByItself(album, fields, clock = realClock) {
  try {
    await album.join(fields);
    album.start();
  } catch (error) {
    if (error.status === 403) album.state.set('passphrase');
    const wait = AGAIN[album.state.peek()];
    if (!wait) return;
    album.isUnreachable.set(true);
    clock.after(wait, () => joinByItself(album, fields, clock));
  }
}
