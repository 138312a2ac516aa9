/** What words are made of, without what they say: two languages that have the same words have the same shape. */
export function shape(value) {
  if (typeof value === 'function') return `${value.length} arguments`;
  if (!value || typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shape(inner)]));
}
