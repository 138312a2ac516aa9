// A file beside a notification's texts: a picture, which a tap opens whole, a sound, a film, or a link.

import { html } from '/ui.js';
import { attachmentKind } from '/bells/inbox.js';
import { words } from '/bells/words.js';

/** The line of a file that is not shown. */
export function linked({ url, id: name = words.attachment }, said = words.attachment) {
  const text = `${said}: ${name}`;
  return url ? html`<p class="small"><a class="tall" href=${url} rel="noopener">${text}</a></p>`
    : html`<p class="small quiet">${text}</p>`;
}

/** A file that the hub has, or that is in memory. */
export function attached(one) {
  const { url, id: name = words.attachment } = one;
  const failed = ({ target }) => target.parentNode.replaceWith(linked(one, words.notShown));
  switch (attachmentKind(one)) {
    case 'image': return html`<a href=${url} target="_blank" rel="noopener"><img class="photo" src=${url}
      alt=${one.alt ?? words.picture} loading="lazy" @error=${failed}></a>`;
    case 'audio': return html`<audio controls preload="none" src=${url} aria-label=${name}></audio>`;
    case 'video': return html`<video class="photo" controls preload="none" src=${url} aria-label=${name}></video>`;
    default: return linked(one);
  }
}
