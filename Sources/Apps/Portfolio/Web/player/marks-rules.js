// A client's marks: a favourite, a remark, a wish for a large one. They are made with ids of their own, so that they
// may be sent twice, and wait here until the hub has them. Pure.

const KINDS = ['favourite', 'remark', 'large'];
export const MARKS_AT_ONCE = 100; // the hub takes no more in one request
export const REMARK = 2_000; // characters

/** A millisecond later, in seconds. */
export const after = (at) => Math.round(at * 1000 + 1) / 1000;

const keyOf = ({ picture, kind }) => `${picture}/${kind}`;

/** The marks as one sees them: what the hub has, with what waits over it. A Map by picture and kind. */
export function seenOf(sent, waiting) {
  const byID = new Map();
  for (const mark of [...sent, ...waiting]) byID.set(mark.id, { ...byID.get(mark.id), ...mark });
  const seen = new Map();
  for (const mark of byID.values()) if (!mark.gone && KINDS.includes(mark.kind)) seen.set(keyOf(mark), mark);
  return seen;
}

const markOf = (seen, picture, kind) => seen.get(keyOf({ picture, kind }));

/**
 * The change that makes a mark as wished, null if it is so already: `text` is a remark's, '' takes it away; else
 * `isOn`. `id` and `at` (seconds since 1970) are used for a new one; a change of one that is there keeps its id, and
 * is later than it, since the newer one counts: it may have been made while this device's clock was ahead.
 */
export function changeOf(seen, { picture, kind, text, isOn = text !== '' }, { id, at: time }) {
  const now = markOf(seen, picture, kind);
  const at = now ? Math.max(time, after(now.at)) : time;
  if (!isOn) return now ? { id: now.id, picture, kind, gone: true, at } : null;
  if (now && now.text === text) return null;
  return { id: now?.id ?? id, picture, kind, ...(text === undefined ? {} : { text }), at };
}

/** What waits, with one more change: only the last of each mark is sent. */
export const queued = (waiting, change) => [...waiting.filter(({ id }) => id !== change.id), change];

/** What still waits after some were sent: what has changed meanwhile is sent once more. */
export const settled = (waiting, sent) =>
  waiting.filter((one) => !sent.some(({ id, at }) => id === one.id && at === one.at));

/** What waits in this tab, with what others have left on this device: the last change of each mark. */
export function joined(waiting, kept) {
  const more = kept.filter(({ id, at }) => !waiting.some((one) => one.id === id && one.at >= at));
  return more.length ? [...waiting.filter(({ id }) => !more.some((one) => one.id === id)), ...more] : waiting;
}

/** What the hub has after it has taken some: as it says, or as they were sent. */
export function taken(known, sent, answered) {
  if (Array.isArray(answered)) return answered;
  return [...known.filter(({ id }) => !sent.some((one) => one.id === id)), ...sent.filter(({ gone }) => !gone)];
}

/** What waits for pictures that are still shown: the hub knows no others. */
export const ofPictures = (waiting, ids) => waiting.filter(({ picture }) => ids.has(picture));

/** How many there are of each kind. */
export function countsOf(marks) {
  const counts = { favourite: 0, remark: 0, large: 0 };
  for (const { kind, gone } of marks) if (!gone && kind in counts) counts[kind] += 1;
  return counts;
}

/** A picture's name for its photographer: one title may be that of a whole series. */
function nameOf(picture, pictures, wordFor) {
  const { id, title, file } = picture;
  if (file) return `${file}: ${title}`;
  const place = wordFor(pictures.indexOf(picture) + 1);
  if (!title) return place;
  return pictures.some((one) => one.title === title && one.id !== id) ? `${place}: ${title}` : title;
}

/** All marks as a text to be sent by hand: a picture a paragraph, in their order. `wordFor(place)` names one. */
export function listOf(pictures, seen, said, wordFor) {
  const done = new Set();
  const lines = [];
  for (const picture of pictures) {
    if (done.has(picture.id)) continue;
    done.add(picture.id);
    const marks = KINDS.map((kind) => markOf(seen, picture.id, kind)).filter(Boolean);
    if (!marks.length) continue;
    lines.push(nameOf(picture, pictures, wordFor),
      ...marks.map(({ kind, text }) => `  ${said[kind]}${text ? `: ${text}` : ''}`));
  }
  return lines.length ? `${lines.join('\n')}\n` : '';
}
