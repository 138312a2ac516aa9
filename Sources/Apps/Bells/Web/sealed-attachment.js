// A file of a private message: fetched as it is kept, opened here, and shown from memory.

import { insist } from '/done.js';
import { html, signal } from '/ui.js';
import { attached } from '/bells/attached.js';
import { isOurs } from '/bells/inbox.js';
import { openFile } from '/bells/sealed.js';
import { privateWords as words } from '/bells/private-words.js';

// The types that a page may show of bytes that somebody sent: none that could hold a script.
const KINDS = /^(image\/(?:png|jpeg|gif)|audio\/[\w.+-]+|video\/[\w.+-]+)$/;
const MOST = 20; // opened files are in memory

const files = new Map(); // by address and key: a signal of the file's own address, null if it cannot be opened

const nameOf = ({ url, key }) => `${url} ${key}`;

async function read(one) {
  const bytes = await insist(async () => {
    const answer = await fetch(one.url, { credentials: 'omit' });
    if (answer.status >= 500) throw new Error(`The hub answers ${answer.status}.`);
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
  });
  const file = bytes && await openFile(bytes, one);
  return file && URL.createObjectURL(new Blob([file], { type: one.type }));
}

function fetched(one) {
  const name = nameOf(one);
  if (!files.has(name)) {
    const [oldest] = files.keys();
    if (files.size >= MOST) {
      URL.revokeObjectURL(files.get(oldest).peek());
      files.delete(oldest);
    }
    const it = signal(undefined);
    files.set(name, it);
    read(one).then(it.set, () => it.set(null));
  }
  return files.get(name);
}

/** Pictures are opened at once, others when somebody wants them. */
export function sealedAttachment(one) {
  const kind = KINDS.test(one.type ?? '') && isOurs(one) ? one.type.split('/')[0] : null;
  if (!kind) return html`<p class="small quiet">${words.otherFile}</p>`;
  const wanted = signal(kind === 'image' || files.has(nameOf(one)));
  return html`${() => {
    if (!wanted()) {
      return html`<p><button class="button tight" type="button" @click=${() => wanted.set(true)}>${
        words.show[kind]}</button></p>`;
    }
    const url = fetched(one)();
    if (url === undefined) return html`<p class="small quiet">${words.opening}</p>`;
    if (url === null) return html`<p class="small quiet">${words.notOpened}</p>`;
    return attached({ ...one, url });
  }}`;
}
