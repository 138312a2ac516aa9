// A file on a server of others: the hub fetches it, once for all, so that this server does not learn who looks.

import { insist } from '/done.js';
import { html, signal } from '/ui.js';
import { HubError } from '/keep.js';
import { change } from '/session.js';
import { attached, linked } from '/bells/attached.js';
import { attachmentKind } from '/bells/inbox.js';
import { privateWords as words } from '/bells/private-words.js';

// By notification and address: a signal of {url, type} at the hub, false while it is asked, null if it has none.
const files = new Map();
const waiting = new WeakMap();
let watching;

/** Calls `act` once the element comes into view. */
function whenSeen(element, act) {
  watching ??= new IntersectionObserver((entries) => {
    for (const { target } of entries.filter((one) => one.isIntersecting)) {
      watching.unobserve(target);
      waiting.get(target)();
    }
  }, { rootMargin: '200px 0px' });
  waiting.set(element, act);
  watching.observe(element);
}

function fileOf(name) {
  if (!files.has(name)) files.set(name, signal(undefined));
  return files.get(name);
}

/** A file of the notification with this id: pictures are fetched when they come into view, others when wanted. */
export function fetchedAttachment(one, id) {
  const { url, type } = one;
  const kind = attachmentKind(one);
  const file = fileOf(`${id} ${url}`);
  const ask = () => {
    if (file.peek() !== undefined) return; // by another place: a row that has changed is drawn anew
    file.set(false);
    insist(() => change('POST', `/api/v1/bells/${id}/media`, { url, type }).catch((error) => {
      if (!(error instanceof HubError)) throw error;
      return null;
    })).then(file.set);
  };
  const place = html`<p class="photo"></p>`.firstElementChild;
  if (kind === 'image' && file.peek() === undefined) whenSeen(place, ask);
  return html`${() => {
    if (file()) return attached({ ...one, ...file() });
    if (file() === null) return linked(one);
    if (kind === 'image') return place;
    if (file() === false) return html`<p class="small quiet">${words.opening}</p>`;
    return html`<p><button class="button tight" type="button" @click=${ask}>${words.show[kind]}</button></p>`;
  }}`;
}
