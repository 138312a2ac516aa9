// The test of a device: rings it, and shows each step on the way with its time.

import { html } from '/ui.js';
import { isAway } from '/keep.js';
import { ringTest, traceOf } from '/bells/model.js';
import { isOver, lines } from '/bells/trace.js';
import { traceList } from '/bells/trace-view.js';
import { words } from '/bells/words.js';

const PAUSE = 400; // milliseconds between two looks
const PATIENCE = 30_000; // a push service that is well takes a second or two

const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/**
 * Rings a device (this one without an id) and follows it in `trial`, a signal of {trace, isWaiting}, until another try
 * begins there, or it is emptied. A look that does not reach the hub is followed by the next one.
 */
export async function tryDevice(trial, device) {
  let shown = {};
  trial.set(shown);
  const id = await ringTest(device);
  const until = Date.now() + PATIENCE;
  for (;;) {
    const { trace = shown.trace, error } = await traceOf(id).then((trace) => ({ trace }), (error) => ({ error }));
    if (trial.peek() !== shown) return;
    const isDone = trace?.devices.length > 0 && trace.devices.every(isOver);
    const isWaiting = !isDone && (!error || isAway(error)) && Date.now() < until;
    const next = { trace, isWaiting, isDone };
    // Drawn anew only if there is news: what has the focus would be read aloud each time.
    if (JSON.stringify(next) !== JSON.stringify(shown)) {
      shown = next;
      trial.set(shown);
    }
    if (!isWaiting && error) throw error;
    if (!isWaiting) return;
    await wait(PAUSE);
  }
}

export const tryView = (trial) => () => {
  const it = trial();
  if (!it?.trace) return '';
  const { trace, isWaiting, isDone } = it;
  // Not all of the way is a status: it would be read from its beginning with each step.
  return html`<p class="small" role="status">${isWaiting ? words.trial.waiting : isDone ? words.trial.done
    : words.trial.late}</p><div class="trial">
    ${trace.devices.map((one) => traceList(lines(one, Date.parse(trace.at))))}
    <p class="small"><a class="tall" href=${`/bells/${trace.id}`}>${words.trial.whole}</a></p></div>`;
};
