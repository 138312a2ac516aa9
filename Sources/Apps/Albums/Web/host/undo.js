// The queue of pictures that wait for a host, and the answers that can still be taken back. Pure; time is passed in.

export const UNDO = 10_000; // milliseconds for which an answer can be taken back

/** {waiting: pictures, the oldest first; answers: [{picture, place, state, at}], the latest last}. */
export const empty = { waiting: [], answers: [] };

/** The hub's list: pictures that were just answered, of which it may not know yet, do not come back. */
export function listed(queue, pictures, now) {
  const answered = new Set(queue.answers.filter(({ at }) => now - at < UNDO).map(({ picture }) => picture.id));
  return { ...queue, waiting: pictures.filter(({ id }) => !answered.has(id)) };
}

/** A host has said 'shown' or 'hidden' of a picture. */
export function answered(queue, id, state, now) {
  const place = queue.waiting.findIndex((one) => one.id === id);
  if (place < 0) return queue;
  const picture = queue.waiting[place];
  return { waiting: queue.waiting.filter((one) => one !== picture),
    answers: [...queue.answers.filter(({ at }) => now - at < UNDO), { picture, place, state, at: now }] };
}

/** The latest answer, if it can still be taken back; else null. */
export function latest(queue, now) {
  const last = queue.answers.at(-1);
  return last && now - last.at < UNDO ? last : null;
}

/** The answer to a picture counts for nothing: another host was faster, or the picture is gone. */
export const dropped = (queue, id) => ({ ...queue, answers: queue.answers.filter(({ picture }) => picture.id !== id) });

/** The answer to a picture is taken back: it is where it was. */
export function undone(queue, id) {
  const answer = queue.answers.find(({ picture }) => picture.id === id);
  if (!answer) return queue;
  const waiting = queue.waiting.filter((one) => one.id !== id);
  waiting.splice(Math.min(answer.place, waiting.length), 0, answer.picture);
  return { waiting, answers: queue.answers.filter((one) => one !== answer) };
}
