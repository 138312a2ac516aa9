// Loads the rules for notifications: the same Swift module (Sources/Portable/Notifications) that the hub and the agents
// run, compiled to WebAssembly. Works in a page, in a service worker and in Node. It is large, so only what shows
// notifications loads it.

import { fetchModule, moduleFrom } from '/rules.js';

/** Thrown when the rules do not accept a question; `faults` are `{field, seen, accepted}`. */
export class NotificationError extends Error {
  constructor(faults) {
    super(faults.map(({ field, seen, accepted }) => `${field || 'all'}: ${seen}; ${accepted}.`).join('\n'));
    this.name = 'NotificationError';
    this.faults = faults;
  }
}

/** The bytes of a file's beginning that decide its type. */
const PREFIX = 65536;

/** Bytes as hexadecimal digits. */
const hexadecimal = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The rules from the bytes of `/notifications.wasm`. */
export async function notificationRulesFrom(bytes) {
  const call = await moduleFrom(bytes);
  /** One question, as `Answers.swift` lists them. */
  const ask = (what, question) => {
    const asked = new TextEncoder().encode(JSON.stringify({ ask: what, ...question }));
    const text = call(what, [JSON.stringify(question)], (exports) => {
      // The views are made anew each time, since the memory may have grown.
      const start = exports.question_room(asked.length);
      new Uint8Array(exports.memory.buffer, start, asked.length).set(asked);
      const answer = exports.ask();
      return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, answer, exports.answer_length()));
    });
    const answer = JSON.parse(text);
    if (answer?.faults) throw new NotificationError(answer.faults);
    return answer;
  };
  return {
    ask,
    /** The content as it is sent on; throws if it is not accepted. */
    content: (content) => ask('content', { content }).content,
    /** The content for a reader of a language. */
    localized: (content, language) => ask('localized', { content, language }).content,
    /** The ids of the actions for which a banner has room, and all of them, each with its `meaning`. */
    actions: (content, { category, buttons } = {}) => ask('actions', { content, category, buttons }),
    /** The way in which a device with these settings, in this state, presents a content. */
    present: (content, { category, settings, state } = {}) => ask('present', { content, category, settings, state }),
    /** The meaning of a response to a content; throws if the content has no such action. */
    response: (response, content, category) => ask('response', { response, content, category }),
    /** The type of a file by its bytes (a Uint8Array), if its size and the type it is called (`type`) agree. */
    attachment: (file, type, size = file.length) =>
      ask('attachment', { prefix: hexadecimal(file.subarray(0, PREFIX)), size, type }).type,
    /** When a trigger fires after `after`, in seconds since 1970; null if never. */
    next: (trigger, { added, after = added, zone }) => ask('next', { trigger, added, after, zone }).at,
  };
}

export const loadNotificationRules = async () =>
  notificationRulesFrom(await fetchModule('/notifications.wasm'));
