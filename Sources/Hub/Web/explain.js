// Loads the messages for errors when one occurs, since the first view does not need them.

import { signal } from '/ui.js';
import { HubError } from '/keep.js';
import { language, words as shell } from '/shell-words.js';

const words = signal(undefined); // null if they cannot be loaded
let coming;

const load = () => {
  coming ??= import('/errors.js').then((found) => words.set(found), () => {
    words.set(null);
    coming = undefined; // the network may be back by the next time
  });
  return coming;
};

/** An error as one text in the reader's language; `offline`, if given, for one that the hub did not answer with. */
export async function explain(error, offline) {
  if (offline && !(error instanceof HubError)) return offline;
  await load();
  if (!words.peek()) { // the general message that every page has; the hub's own are in English
    if (!(error instanceof HubError)) return shell.offline;
    return language === 'en' ? error.message : shell.refused;
  }
  const { title, help } = words.peek().explained(error);
  return [title, help].filter(Boolean).join(' ');
}

/** The reason for a state in the reader's language, for templates; `english` is the hub's own sentence. */
export function why(reason, english) {
  if (language === 'en' || !reason) return english ?? '';
  load();
  if (words() === undefined) return ''; // filled in a moment later
  return words() ? words().said(reason) : english;
}
