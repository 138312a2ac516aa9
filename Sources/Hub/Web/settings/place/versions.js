// Merges the settings if two people have saved at once: changes of one side are taken; of fields that both have
// changed, both versions are kept until somebody chooses.

const same = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/**
 * A three-way merge; `base` is the common ancestor. Returns {merged, conflicts}: `merged` has the fields that only one
 * side has changed, and mine of the others; `conflicts` are the names of those changed differently on both sides.
 */
export function merge(base, mine, theirs) {
  const names = [...new Set([...Object.keys(base), ...Object.keys(mine), ...Object.keys(theirs)])];
  const conflicts = names.filter((name) =>
    !same(base[name], mine[name]) && !same(base[name], theirs[name]) && !same(mine[name], theirs[name]));
  const merged = {};
  for (const name of names) merged[name] = same(base[name], mine[name]) ? theirs[name] : mine[name];
  return { merged, conflicts };
}

/** An empty field may be sent as 'off'. */
const isBlank = (value) => (typeof value === 'object' && value !== null ? Object.values(value).every(isBlank)
  : !value || value === 'off');

/** What nobody has filled in of a first form, as the ancestor of two. */
export const blanks = (mine) => Object.fromEntries(Object.entries(mine).filter(([, value]) => isBlank(value)));

/** A value in readable form, for choosing. */
export function told(value) {
  if (value === null || value === undefined || value === '') return '–';
  if (Array.isArray(value)) return value.map((one) => told(one?.name ?? one?.url ?? one)).join(', ') || '–';
  if (typeof value === 'object') return Object.values(value).map(told).join(', ') || '–';
  return String(value);
}
