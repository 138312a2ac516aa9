// A trace as a list: the time, a lamp, and what happened.

import { html } from '/ui.js';
import { duration } from '/bells/trace.js';
import { because, locale, whats } from '/bells/why-words.js';

const text = (line) => {
  const why = because(line);
  return [whats[line.what] ?? line.what, why].filter(Boolean).join(': ');
};

/** `timed` puts the time of an event into words; usually how long after the sending it was. */
export const traceList = (all, timed = ({ after }) => `+ ${duration(after, locale)}`) => html`<ol class="trace">${
  all.map((line) => html`<li><time datetime=${line.at}>${timed(line)}</time>
    <i class="lamp" data-state=${line.kind}></i><p>${text(line)}</p></li>`)}</ol>`;
