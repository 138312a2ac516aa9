// The entries of the console: a list that is held, filtered and bounded. Pure functions, without a page.

export const MOST = 500; // entries; the oldest go

/** {shown, waiting}: new entries are on top; while the list is held, they wait. */
export const empty = { shown: [], waiting: [], dropped: 0 };

const cut = (entries) => (entries.length > MOST ? entries.slice(0, MOST) : entries);

/** Takes entries, the oldest first. */
export function taken(book, { entries, dropped = 0 }, isHeld) {
  const fresh = [...entries].reverse();
  const lost = book.dropped + dropped;
  if (isHeld) return { ...book, waiting: cut([...fresh, ...book.waiting]), dropped: lost };
  return { shown: cut([...fresh, ...book.waiting, ...book.shown]), waiting: [], dropped: lost };
}

/** Shows what has waited. */
export const released = (book) => taken(book, { entries: [] }, false);

/** The entries in whose channel or event the text stands. */
export function filtered(entries, text) {
  const wanted = text.trim().toLowerCase();
  if (!wanted) return entries;
  return entries.filter(({ channel, event, kind, socket_id: socket }) =>
    [channel, event, kind, socket].some((one) => one?.toLowerCase().includes(wanted)));
}

/** A channel's kind by its name. */
export function kindOf(name) {
  if (name.startsWith('private-encrypted-')) return 'private-encrypted';
  const kind = ['presence', 'private'].find((one) => name.startsWith(`${one}-`)) ?? 'public';
  return kind === 'public' && name.startsWith('cache-') ? 'cache' : kind;
}

/** 21:38:07.412 */
export function timeOf(seconds) {
  const at = new Date(seconds * 1000);
  const two = (number) => String(number).padStart(2, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${
    String(at.getMilliseconds()).padStart(3, '0')}`;
}

/** The bars of a picture as a path for each, in a box of `width` and `height`; all have at least a line. */
export function bars(counts, width, height) {
  const most = Math.max(1, ...counts);
  const step = width / counts.length;
  return counts.map((count, index) => {
    const tall = Math.max(1, Math.round((count / most) * height));
    const wide = (step * 0.8).toFixed(1);
    return `M${(index * step + step * 0.1).toFixed(1)} ${height - tall}h${wide}v${tall}h-${wide}z`;
  });
}
