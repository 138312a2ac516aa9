// Private messages, opened as by Sources/Push/Sealed, with the browser's own cryptography. Pure functions, for pages,
// the service worker and Node. Docs/private-messages.md has the form of a box.
//
// Keys are Uint8Arrays of 32 bytes. A CryptoKey that cannot be read out would be safer against a script that has got
// into the page, but could not be given to the next device as a QR code.

const PRIVATE = ['title', 'subtitle', 'body', 'url', 'user_info', 'localized', 'attachments', 'speech', 'parts'];
const PURPOSE = 'eightbells sealed content 1';
const FILE_START = 'eightbells sealed file 1\n';
const VERSION = 1;
const SALT = 16; // bytes
const NONCE = 12;
const TAG = 16;
const HEAD = 1 + SALT + NONCE;
const FRAGMENT = '#key=';
/** Bytes of a key. */
const KEY = 32;

const bytesOf = (text) => new TextEncoder().encode(text);

export function toBase64(bytes) {
  let letters = '';
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters);
}

export function toBase64url(bytes) {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The bytes; null for a text that is not base64url. */
export function fromBase64url(text) {
  if (typeof text !== 'string' || !/^[\w-]*$/.test(text) || text.length % 4 === 1) return null;
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
}

const joined = (...parts) => {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let place = 0;
  for (const part of parts) {
    all.set(part, place);
    place += part.length;
  }
  return all;
};

/** False where the browser has no cryptography for pages: it has it over HTTPS and on localhost alone. */
export const canSeal = () => Boolean(globalThis.crypto?.subtle);

// MARK: Keys

export const newKey = () => crypto.getRandomValues(new Uint8Array(KEY));

async function derived(key, salt, info) {
  const secret = await crypto.subtle.importKey('raw', key, 'HKDF', false, ['deriveBits']);
  const how = { name: 'HKDF', hash: 'SHA-256', salt, info: bytesOf(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(how, secret, 256));
}

/** The proof that whoever revokes a key has it: it can only be made with the key, and tells nothing of it. */
export const proofOf = (key) => derived(key, new Uint8Array(0), 'eightbells key revocation 1');

/** The name of a key, which the hub may know. */
export async function idOf(key) {
  const named = joined(bytesOf('eightbells key id 1'), await proofOf(key));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', named));
  return Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const linkOf = (key, origin) => `${origin}/bells${FRAGMENT}${toBase64url(key)}`;

/** The key in a link, or in the text of a key alone; null for anything else. */
export function keyIn(text) {
  const place = text.indexOf(FRAGMENT);
  const key = fromBase64url((place < 0 ? text : text.slice(place + FRAGMENT.length)).trim());
  return key?.length === KEY ? key : null;
}

// MARK: Contents

const aes = (bytes) => crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['decrypt']);
const cipher = (iv, visible) => ({ name: 'AES-GCM', iv, additionalData: bytesOf(visible) });

/**
 * A content, opened with `keyOf(id)`, which gives the bytes of a key, or nothing. A content without a private part
 * comes back as it is. Null if it cannot be opened: its fallback is to be shown.
 */
export async function open(content, keyOf) {
  if (!content?.sealed) return content;
  try {
    const { key: id, box: text } = content.sealed;
    const key = await keyOf(id);
    const box = key && fromBase64url(text);
    if (!box || box.length <= HEAD + TAG || box[0] !== VERSION) return null;
    const own = await aes(await derived(key, box.subarray(1, 1 + SALT), PURPOSE));
    const how = cipher(box.subarray(1 + SALT, HEAD), PURPOSE + id);
    const bytes = await crypto.subtle.decrypt(how, own, box.subarray(HEAD));
    const hidden = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof hidden !== 'object' || hidden === null || Array.isArray(hidden)) return null;
    const clear = Object.entries(content).filter(([name]) => name !== 'sealed' && !PRIVATE.includes(name));
    return Object.fromEntries([...clear, ...Object.entries(hidden).filter(([name]) => PRIVATE.includes(name))]);
  } catch { // changed on its way, or sealed with another key
    return null;
  }
}

// MARK: Files

/** A sealed file's own bytes, by its entry in an opened content; null if they are not its. */
export async function openFile(sealed, { key: text, size }) {
  const [start, key] = [bytesOf(FILE_START), fromBase64url(text)];
  const isOne = key?.length === KEY && sealed.length >= start.length + NONCE + TAG
    && start.every((byte, index) => sealed[index] === byte);
  if (!isOne) return null;
  try {
    const how = cipher(sealed.subarray(start.length, start.length + NONCE), FILE_START);
    const file = await crypto.subtle.decrypt(how, await aes(key), sealed.subarray(start.length + NONCE));
    return Number.isInteger(size) && size >= 0 && size <= file.byteLength ? new Uint8Array(file, 0, size) : null;
  } catch {
    return null;
  }
}
