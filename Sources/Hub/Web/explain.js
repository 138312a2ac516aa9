// The words for what went wrong, which are fetched when something does: the first view does without them.

import { signal } from '/ui.js';
import { choose } from '/words.js';

const { language } = choose(['en', 'de']);
const words = signal(undefined); // null where they could not be had
let coming;

const load = () => {
  coming ??= import('/errors.js').then((found) => words.set(found), () => words.set(null));
  return coming;
};

/** An error as one text in the reader's language. */
export async function explain(error) {
  await load();
  if (!words.peek()) return error.message;
  const { title, help } = words.peek().explained(error);
  return [title, help].filter(Boolean).join(' ');
}

/** Why something is as it is, in the reader's language: `english` is the hub's own sentence. For what is drawn. */
export function why(reason, english) {
  if (language === 'en' || !reason) return english ?? '';
  load();
  if (words() === undefined) return ''; // a moment later
  return words() ? words().said(reason) : english;
}
