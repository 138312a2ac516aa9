// The result of a replay, made ready to be shown: pure functions.

const LOUD = ['warning', 'alarm', 'position lost'];

const seconds = (at) => (typeof at === 'number' ? at : Date.parse(at) / 1000);

/** What rang, each with the time until it was over: [{at, kind, far, lasted}]. */
export function rangs(events) {
  const found = [];
  events.forEach(({ at, kind, distance_m: far }, index) => {
    if (!LOUD.includes(kind)) return;
    const end = events.slice(index + 1).find((one) => ['clear', 'position back'].includes(one.kind));
    found.push({ at: seconds(at), kind, far, lasted: end ? seconds(end.at) - seconds(at) : null });
  });
  return found;
}

/** Of each stretch of time the farthest fix, so that what rang is seen. */
export function thinned(all, most) {
  if (all.length <= most) return all;
  const step = all.length / most;
  return Array.from({ length: most }, (_, index) => all.slice(Math.floor(index * step), Math.floor((index + 1) * step))
    .reduce((far, one) => (one[1] > far[1] ? one : far)));
}
