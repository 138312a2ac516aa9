// Extensions: modules that change the content of a notification before it is shown, as a service extension does on
// phones. They are the rooms' (room.js: `extension` and its `categories`), and run by the service worker. Whatever a
// module does, the notification is shown: as it was sent, if there is no good answer in time. What it cannot be kept
// from is to compute for ever without a pause; then the browser ends the worker.
//
// A module exports `extend(content, tools)`. It answers once, with the changed content: as the value that it returns,
// or that its promise comes to, or by calling `tools.done(content)`. `tools.signal` is aborted when its time expires;
// it then has a moment to answer with what it has. `tools.left()` are the milliseconds until then.

import { realClock } from '/bells/real-clock.js';

/** Milliseconds that a module has; a browser ends a worker some 30 s after a push, and receipts take their time. */
export const LIMIT = 10_000;
/** Milliseconds to answer after its time has expired. */
export const GRACE = 1_000;
/** Bytes of a content (NotificationLimits.contentBytes). */
const BYTES = 16_384;
const SHOWN = ['title', 'subtitle', 'body', 'badge', 'sound', 'vibration', 'attachments'];
/** The category of a module that is there for all that no other one has. */
export const REST = '*';

/** The module for a content: that of its category, or else the one for the rest. Nothing for what is not to change. */
export function chosen(extensions, { mutable, silent, category }) {
  if (mutable !== true || silent === true) return undefined;
  const of = (name) => extensions.find(({ categories }) => categories.includes(name));
  return (category !== undefined && category !== REST && of(category)) || of(REST);
}

const shows = (content) => SHOWN.some((name) => {
  const value = content[name];
  return value !== undefined && value !== null && value !== '' && value.length !== 0;
});

/** The fault of an answer, by its code; undefined if it is good. */
function faultOf(answer, accepts) {
  if (answer === null || answer === undefined) return 'empty';
  if (typeof answer !== 'object' || Array.isArray(answer)) return 'garbage';
  if (answer.silent === true || !shows(answer)) return 'empty';
  try {
    if (new TextEncoder().encode(JSON.stringify(answer)).length > BYTES) return 'too_large';
    accepts(answer);
  } catch {
    return 'garbage';
  }
  return undefined;
}

/**
 * Runs a module once: {content, fault}, the content as it is to be shown, and the code of what went wrong, if it did:
 * 'late', 'crashed', 'twice', 'empty', 'garbage' or 'too_large'. `accepts` throws for what is no content; `tools` are
 * for the module.
 */
export function run(extend, content, {
  limit = LIMIT, grace = GRACE, clock = realClock, accepts = () => {}, tools = {},
} = {}) {
  return new Promise((settle) => {
    const controller = new AbortController();
    const end = clock.now() + limit;
    const answers = [];
    let [hasReturned, isOver] = [false, false];
    let cancel = () => {};
    const finish = (fault, changed = content) => {
      if (isOver) return;
      isOver = true;
      cancel();
      settle({ content: fault ? content : changed, fault });
    };
    const conclude = () => {
      const fault = faultOf(answers[0], accepts);
      finish(fault, fault ? content : structuredClone(answers[0]));
    };
    const done = (answer) => {
      answers.push(answer);
      if (answers.length > 1) finish('twice');
      else if (hasReturned) conclude();
    };
    cancel = clock.after(limit, () => {
      controller.abort(new DOMException('The time for this notification has expired.', 'TimeoutError'));
      if (answers.length) conclude();
      else cancel = clock.after(grace, () => (answers.length ? conclude() : finish('late')));
    });
    const returned = (answer, isPromise) => {
      hasReturned = true;
      if (answer !== undefined) done(answer);
      // A module without a promise may call `done` later; one with a promise has had its turn.
      if (answers.length || isPromise) conclude();
    };
    try {
      const answer = extend(structuredClone(content), {
        ...tools, done, signal: controller.signal, left: () => Math.max(0, end - clock.now()),
      });
      if (typeof answer?.then === 'function') answer.then((one) => returned(one, true), () => finish('crashed'));
      else returned(answer, false);
    } catch {
      finish('crashed');
    }
  });
}
