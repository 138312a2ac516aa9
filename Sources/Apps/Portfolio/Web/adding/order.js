// The order of portfolios and galleries. Pure.

/** A list with one of it moved by some places; null if it is at the end already. */
export function moved(list, which, by) {
  const from = list.indexOf(which);
  const to = from + by;
  if (from < 0 || to < 0 || to >= list.length) return null;
  const rest = list.filter((one) => one !== which);
  return [...rest.slice(0, to), which, ...rest.slice(to)];
}
