// A heart that is filled is a promise, and IndexedDB takes some milliseconds to keep it. For that long the record
// stands here, in a storage that has it at once: a page that is closed or loaded anew in that moment loses nothing.

const PREFIX = 'eightbells-favourite ';

/** Without a storage (a private window, a full one) only those milliseconds are not covered. */
function attempt(act) {
  try {
    return act(localStorage);
  } catch {
    return undefined;
  }
}

const taker = (key, text) => () => attempt((storage) => {
  if (storage.getItem(key) === text) storage.removeItem(key); // not a later word
});

/** Writes down what was said about an event; `owner` is the person's id, or null. Gives what takes it out again. */
export function note(owner, record) {
  const key = `${PREFIX}${owner ?? ''} ${record.event}`;
  const text = JSON.stringify(record);
  attempt((storage) => storage.setItem(key, text));
  return taker(key, text);
}

/** What was written down and not taken out: [{owner, record, done}]. */
export function noted() {
  const keys = attempt((storage) => Object.keys(storage)) ?? [];
  return keys.filter((key) => key.startsWith(PREFIX)).flatMap((key) => {
    const text = attempt((storage) => storage.getItem(key));
    if (typeof text !== 'string') return []; // another tab has taken it out meanwhile
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
