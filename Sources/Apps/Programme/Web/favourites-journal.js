// A favourite must not be lost once it is shown, but IndexedDB takes some milliseconds to store it. Meanwhile the
// record stands here, in localStorage, which stores at once: a page closed or reloaded in that moment loses nothing.

const PREFIX = 'eightbells-favourite ';

/** Without a storage (in a private window, or when it is full) only those milliseconds are not covered. */
function attempt(act) {
  try {
    return act(localStorage);
  } catch {
    return undefined;
  }
}

const taker = (key, text) => () => attempt((storage) => {
  if (storage.getItem(key) === text) storage.removeItem(key); // not if it was replaced by a later record
});

/**
 * Records a change of a favourite; `owner` is the person's id, or null. Returns a function that removes the record, or
 * null if this browser stores nothing.
 */
export function note(owner, record) {
  const key = `${PREFIX}${owner ?? ''} ${record.event}`;
  const text = JSON.stringify(record);
  const isNoted = attempt((storage) => {
    storage.setItem(key, text);
    return true;
  });
  return isNoted ? taker(key, text) : null;
}

/** The records that were not removed: [{owner, record, done}]. */
export function noted() {
  const keys = attempt((storage) => Object.keys(storage)) ?? [];
  return keys.filter((key) => key.startsWith(PREFIX)).flatMap((key) => {
    const text = attempt((storage) => storage.getItem(key));
    if (typeof text !== 'string') return []; // another tab has removed it meanwhile
    const done = taker(key, text);
    try {
      const record = JSON.parse(text);
      return [{ owner: key.slice(PREFIX.length).split(' ')[0] || null, record, done }];
    } catch {
      done();
      return [];
    }
  });
}
