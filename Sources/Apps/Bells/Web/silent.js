// Silent notifications on open pages: they show nothing, and wake what the page has registered for them. It has half a
// minute, is told when five seconds are left, and answers whether there was something new; the hub keeps the answer.
// Other rooms' modules, which import none of this, listen to the event `silent-notification` of the window: its
// `detail` is what a handler gets, and `detail.answer(promise)` takes their answer.

import { realClock } from '/bells/real-clock.js';

const LAST = 5_000; // milliseconds before the end at which work is asked to stop

const handlers = new Set();

/**
 * Registers work for silent notifications: `handler({content, signal, left})` answers, or promises, 'new_data',
 * 'no_data' or 'failed'. `left()` are the milliseconds until its end; `signal` is aborted when five seconds are left.
 * Returns what ends that.
 */
export function onSilent(handler) {
  handlers.add(handler);
  return () => handlers.delete(handler);
}

const ANSWERS = ['new_data', 'failed', 'no_data']; // the weightiest first

const tellPage = (detail) => globalThis.dispatchEvent?.(new CustomEvent('silent-notification', { detail }));

/** Wakes all who are registered: {answer, took}, the seconds that it took; undefined if nobody is. */
export async function wake({ content, seconds }, { all = handlers, clock = realClock, tell = tellPage } = {}) {
  const [start, controller] = [clock.now(), new AbortController()];
  const left = () => Math.max(0, start + seconds * 1_000 - clock.now());
  const tools = () => ({ content: structuredClone(content), signal: controller.signal, left });
  const [answers, listeners] = [[], []];
  tell({ ...tools(), answer: (promise) => listeners.push(() => promise) });
  if (!all.size && !listeners.length) return undefined;
  let cancels = [];
  const over = new Promise((resolve) => {
    cancels = [clock.after(Math.max(0, seconds * 1_000 - LAST), () => controller.abort()),
      clock.after(seconds * 1_000, resolve)];
  });
  const work = [...all, ...listeners].map(async (handler) => {
    try {
      answers.push(await handler(tools()));
    } catch {
      answers.push('failed');
    }
  });
  await Promise.race([Promise.all(work), over]);
  cancels.forEach((cancel) => cancel());
  return { answer: ANSWERS.find((one) => answers.includes(one)) ?? 'no_answer', took: (clock.now() - start) / 1_000 };
}
