// The words for what went wrong, which are fetched when something does: the first view does without them.

import { signal } from '/ui.js';
import { HubError } from '/keep.js';
import { language, words as shell } from '/shell-words.js';

const words = signal(undefined); // null where they could not be had
let coming;

const load = () => {
  coming ??= import('/errors.js').then((found) => words.set(found), () => {
    words.set(null);
    coming = undefined; // the network may be back by the next time
  });
  return coming;
};

/** An error as one text in the reader's language. */
export async function explain(error) {
  await load();
  if (!words.peek()) { // in words that every page has with its navigation; the hub's own are English
    if (!(error instanceof HubError)) return shell.offline;
    return language === 'en' ? error.message : shell.refused;
  }
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
