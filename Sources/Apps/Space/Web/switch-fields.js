// What the fields beside the switch say. `fields` has the signals `message` and `until`, which is a time of day, and in
// `touched` the names of those in which somebody has typed. The others only show the sign.

/** What a turn of the sign says: the typed text alone, since an open sign's message is not kept for the closed one. */
export const typedInto = (fields) => Object.fromEntries([...fields.touched]
  .map((field) => [field, fields[field].peek()]).filter(([, text]) => text));

/**
 * What a sign says whose words alone are changed. Where nobody has typed it stays as it is: the hub would take the time
 * of day that the field shows for the next one, and move an "open until" that has passed to another day.
 */
export const changedWords = (fields, sign) => Object.fromEntries(['message', 'until'].map((field) =>
  [field, (fields.touched.has(field) ? fields[field].peek() : sign[field]) || null]));
