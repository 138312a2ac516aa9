// The player's pictures in one file: each stands in an element of its own as base64 text, after the index, and is
// decoded when it is shown. With a passphrase all of it is locked by AES-GCM, with a key that PBKDF2 makes of it.

import { Locked, Wrong } from '/portfolio/player/faults.js';

const HEAD = 'one-file';
const NONCE = 12; // bytes before what is locked

/** The bytes that base64 text spells. */
export function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let index = 0; index < bytes.length; index += 1) bytes[index] = letters.charCodeAt(index);
  return bytes;
}

/** The ways in which one may have typed the same words: as typed, without spaces around them, é as one or as two. */
export const spellings = (words) => [...new Set([words, words.trim()].flatMap((one) =>
  [one, one.normalize('NFC'), one.normalize('NFD')]))];

async function keyOf(words, { salt, iterations }, crypto) {
  const base = await crypto.importKey('raw', new TextEncoder().encode(words), 'PBKDF2', false, ['deriveKey']);
  return crypto.deriveKey({ name: 'PBKDF2', hash: 'SHA-256', salt: bytesOf(salt), iterations }, base,
    { name: 'AES-GCM', length: 256 }, false, ['decrypt']);
}

const opened = (key, bytes, name, crypto) => crypto.decrypt({ name: 'AES-GCM', iv: bytes.subarray(0, NONCE),
  additionalData: new TextEncoder().encode(name) }, key, bytes.subarray(NONCE));

/** True if this page is such a file. */
export const isFile = () => document.getElementById(HEAD) !== null;

export class FileSource {
  kind = 'file';
  #head;
  #key = null;
  #waiting = [];

  constructor(crypto = globalThis.crypto?.subtle) {
    this.crypto = crypto;
    this.#head = JSON.parse(document.getElementById(HEAD).textContent);
    this.id = this.#head.id;
    if (document.readyState !== 'loading') return;
    const arrived = () => { this.#waiting = this.#waiting.filter((look) => !look()); };
    const observer = new MutationObserver(arrived);
    observer.observe(document.body, { childList: true });
    document.addEventListener('DOMContentLoaded', () => {
      observer.disconnect();
      arrived();
    });
  }

  get isOpenable() { return Boolean(this.crypto); }

  /** What is in it. */
  async describe() {
    const { lock, index } = this.#head;
    if (!lock) return index;
    if (!this.#key) throw new Locked('passphrase');
    return JSON.parse(new TextDecoder().decode(await opened(this.#key, bytesOf(index), 'index', this.crypto)));
  }

  async unlock(words) {
    const { lock, index } = this.#head;
    for (const one of spellings(words)) {
      const key = await keyOf(one, lock, this.crypto);
      if (await opened(key, bytesOf(index), 'index', this.crypto).then(() => true, () => false)) {
        this.#key = key;
        return;
      }
    }
    throw new Wrong();
  }

  /** The picture's file of a size; an error if it is missing or damaged. */
  async file({ id }, size) {
    const name = `${id}/${size}`;
    const bytes = bytesOf(await this.#text(`file/${name}`));
    if (!bytes.length) throw new Error(`${name} is not in this file`);
    const plain = this.#key ? await opened(this.#key, bytes, name, this.crypto) : bytes;
    return new Blob([plain], { type: 'image/jpeg' });
  }

  /** Nobody takes marks from a file. */
  async send() { return null; }

  /** The text of an element, which is complete once the browser has read on behind it. */
  #text(id) {
    const look = () => {
      const element = document.getElementById(id);
      if (element?.nextSibling || document.readyState !== 'loading') return element?.textContent ?? '';
      return null;
    };
    return new Promise((resolve) => {
      const text = look();
      if (text !== null) return void resolve(text);
      this.#waiting.push(() => {
        const now = look();
        if (now !== null) resolve(now);
        return now !== null;
      });
    });
  }
}
