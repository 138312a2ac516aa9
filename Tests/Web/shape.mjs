/** What words are made of, without what they say: two languages that have the same words have the same shape. */
export const shape = (value) => (value && typeof value === 'object'
  ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shape(inner)])) : typeof value);
