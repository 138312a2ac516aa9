// Sends a file in pieces that can be continued, with tus 1.0 (tus.io/protocols/resumable-upload). Knows no page: how a
// request is sent is passed in.

import { HubError } from '/keep.js';

export const LIMITS = {
  chunk: 16 * 1024 * 1024, // bytes of one request: proxies refuse larger ones
  preview: 40 * 1024, // bytes of a preview (the hub's limit)
  conflicts: 5, // answers in a row that the hub's offset is another one
};

const VERSION = '1.0.0';
const GONE = [404, 410];

/** True for the answer that an upload, or what it is for, is not there (any more). */
export const isGone = (error) => error instanceof HubError && GONE.includes(error.status);

const PICTURE = 'Eightbells-Picture'; // the picture that the last byte has made

const base64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** The values that are there, as Upload-Metadata. */
export const metadataOf = (values) => Object.entries(values)
  .filter(([, value]) => value !== undefined && value !== null && value !== '')
  .map(([key, value]) => `${key} ${base64(String(value))}`).join(',');

/** What is told of a picture of the queue. */
export const metadataOfItem = ({ name, type, taken, sha256, pair, soundOf, gallery }) => (
  { filename: name, filetype: type, taken, sha256, pair, sound_of: soundOf, gallery });

/**
 * The uploads to one place. `send({method, url, headers, body, onprogress, signal})` is resolved with {status,
 * header(name), json()}, and rejected if there was no answer.
 */
export class Tus {
  #address;
  #headers;
  #send;
  #hasPreviews;

  constructor({ address, headers, send, hasPreviews = true }) {
    this.#address = address;
    this.#headers = headers;
    this.#send = send;
    this.#hasPreviews = hasPreviews;
  }

  async #ask(method, url, { headers = {}, ...rest } = {}) {
    const answer = await this.#send({
      method, url, headers: { 'Tus-Resumable': VERSION, ...this.#headers(), ...headers }, ...rest,
    });
    if (answer.status >= 200 && answer.status < 300) {
      // A network that asks for a sign-in first, as in trains and hotels, answers everything with a page of its own.
      if (!answer.header('Tus-Resumable')) throw new TypeError('an answer, but not the hub’s');
      return answer;
    }
    throw Object.assign(new HubError(answer.status, await answer.json()), {
      after: Number(answer.header('Retry-After')) || undefined,
      offset: answer.header('Upload-Offset') ?? undefined, // the hub has got another number of bytes
    });
  }

  /** Announces a file of so many bytes. Resolved with the upload's address. */
  async create(size, metadata, signal) {
    const headers = { 'Upload-Length': String(size), 'Upload-Metadata': metadataOf(metadata) };
    const answer = await this.#ask('POST', this.#address(), { headers, signal });
    return answer.header('Location');
  }

  /** {offset, picture}: the bytes that the hub has, and the picture if that is all; null for an unknown upload. */
  async look(url, signal) {
    try {
      const answer = await this.#ask('HEAD', url, { signal });
      return { offset: Number(answer.header('Upload-Offset')), picture: answer.header(PICTURE) };
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  }

  /** Sends bytes from `offset` on. Resolved like `look`. */
  async patch(url, offset, body, { onprogress, signal } = {}) {
    const headers = { 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' };
    const answer = await this.#ask('PATCH', url, { headers, body, onprogress, signal });
    return { offset: Number(answer.header('Upload-Offset')), picture: answer.header(PICTURE) };
  }

  /** A small picture to show until the hub has made its own. */
  async preview(url, body, signal) {
    if (!this.#hasPreviews) return null;
    return this.#ask('PUT', `${url}/preview`, { headers: { 'Content-Type': 'image/jpeg' }, body, signal });
  }

  /** Ends an upload that is not wanted any more. Resolved with the picture that it had become before, if it had. */
  async end(url) {
    try {
      return (await this.#ask('DELETE', url)).header(PICTURE);
    } catch (error) {
      if (isGone(error)) return null;
      throw error;
    }
  }
}

/** A preview is a kindness: if the hub does not want it, the picture is sent without. */
async function offer(tus, url, preview, signal) {
  if (!preview) return;
  try {
    await tus.preview(url, preview, signal);
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
  }
}

/**
 * Sends a file from where it stopped, until the hub says which picture it became. `source` is {size, slice(from, to)};
 * `location` the address of an upload that was begun before. `onlocation(url)` is awaited before the first byte, so
 * that a page that is closed finds it again; `onprogress(bytes)` tells what the hub has, and what is on its way.
 */
export async function upload(tus, source, options) {
  const { metadata, preview, signal, onlocation = async () => {}, onprogress = () => {} } = options;
  const { size } = source;
  let url = options.location;
  const begin = async () => {
    url = await tus.create(size, metadata, signal);
    await onlocation(url);
    return { offset: 0 };
  };
  let at = (url && await tus.look(url, signal)) || await begin();
  if (at.offset === 0 && !at.picture) await offer(tus, url, preview, signal);
  let conflicts = 0;
  let isEmptied = false; // all bytes are there, and the hub was asked once more what they became
  while (!at.picture) {
    const from = at.offset;
    if (from === size && isEmptied) throw new Error('the hub has all of it, and names no picture');
    isEmptied = from === size;
    onprogress(from);
    const body = await source.slice(from, Math.min(from + LIMITS.chunk, size));
    try {
      at = await tus.patch(url, from, body, { signal, onprogress: (sent) => onprogress(from + sent) });
      conflicts = 0;
    } catch (error) {
      conflicts += 1;
      if ((error.offset === undefined && !isGone(error)) || conflicts > LIMITS.conflicts) throw error;
      at = await tus.look(url, signal);
      if (at && isGone(error)) throw error; // what the upload is for is gone
      at ??= await begin();
    }
  }
  onprogress(size);
  return at.picture;
}
