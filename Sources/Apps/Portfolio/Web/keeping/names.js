// The names of kept files. Pure.

/** The database. Its beginning says that it belongs to whoever is signed in: /keep.js deletes it when they sign out. */
export const DATABASE = 'eightbells-mine-portfolio';

/** The key of a picture's file in the database; `size` is '320', '2048' or 'video'. */
export const keyOf = (portfolio, picture, size) => `${portfolio}/${picture}/${size}`;

const FILE = /^\/api\/v1\/portfolios\/([^/]+)\/files\/([^/]+)\/(\w+)$/;

/** The key of the file at an address of the API; null for other addresses. */
export function keyAt(path) {
  const found = FILE.exec(path);
  return found && keyOf(...found.slice(1).map(decodeURIComponent));
}

/**
 * The bytes that a Range header asks for, of `size`: {from, to}, `to` not included; null for a header that asks for
 * several ranges or none, and undefined if nothing of it is there. RFC 9110, 14.2.
 */
export function rangeOf(header, size) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined || (first === '' && last === '')) return null;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  return from < to ? { from, to } : undefined;
}
