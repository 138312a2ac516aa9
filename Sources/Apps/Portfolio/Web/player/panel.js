// What one has marked: where it is, and a way to take it along when nobody takes it.

import { html, listening, signal } from '/ui.js';
import { saveFile } from '/saving.js';
import { listOf } from '/portfolio/player/marks-rules.js';
import { words } from '/portfolio/player/words.js';

/** True if the device has a network, as far as the browser knows. */
const online = signal(navigator.onLine);
listening(window, ['online', 'offline'], () => online.set(navigator.onLine));

/** One line about the marks: the photographer has them, or they wait, or they are only here. '' without any. */
export function marksLine({ book, marks }) {
  const [counts, waiting, who] = [marks.counts(), marks.counted(), book().from];
  const sum = ({ favourite, remark, large }) => favourite + remark + large;
  const state = marks.state();
  if (state === 'refused') return words.refused;
  if (!sum(counts)) return '';
  if (state === 'here') return words.here(counts, who);
  if (marks.waiting().length === 0) return words.sent(counts, who);
  return sum(waiting) ? words.waiting(waiting, who, online()) : '';
}

/** Saves the marks as a text. */
export function saveList({ book, marks }) {
  const { pictures, title } = book.peek();
  const said = { favourite: words.favourite, remark: words.remark, large: words.large };
  const list = listOf(pictures, marks.seen.peek(), said, words.picture);
  saveFile(new File([`${title}\n\n${list}`], words.listName, { type: 'text/plain' }));
}

export function marksPanel({ book, marks }) {
  return html`<section class="marks-panel"><h2>${words.marks}</h2>
    <p role="status">${() => marksLine({ book, marks }) || words.none}</p>
    <p hidden=${() => marks.seen().size === 0}><button class="plain-key" type="button" @click=${() =>
    saveList({ book, marks })}>${words.list}</button></p></section>`;
}
