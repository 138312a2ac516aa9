// Counts and hashes all that is kept, small and large: after each update of the pages, and when somebody asks.

/** The hexadecimal SHA-256 of an ArrayBuffer. Browsers have it over HTTPS only, and keep pages only then. */
export async function sha256Of(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Looks at every kept file: {counted, small, large, lost: [key, …]}; those that are missing or differ from their row
 * are lost, and their rows are removed so that they are fetched again in their size. `said(done, all)` is called on
 * the way.
 */
export async function checkAll(store, { hash = sha256Of, said = () => {} } = {}) {
  const rows = await store.rows();
  const found = { counted: rows.size, small: 0, large: 0, lost: [] };
  let done = 0;
  for (const [key, row] of rows) {
    const file = await store.file(key);
    if (!file || file.bytes.byteLength !== row.bytes || await hash(file.bytes) !== row.sha256) found.lost.push(key);
    else if (key.endsWith('/320')) found.small += 1;
    else found.large += 1;
    done += 1;
    said(done, rows.size);
  }
  if (found.lost.length) await store.remove(found.lost);
  return found;
}

/** A quick look at each start: the keys of rows whose file is not there. Their rows are removed, too. */
export async function checkCount(store) {
  const [rows, keys] = await Promise.all([store.rows(), store.fileKeys()]);
  const there = new Set(keys);
  const lost = [...rows.keys()].filter((key) => !there.has(key));
  if (lost.length) await store.remove(lost);
  return lost;
}
