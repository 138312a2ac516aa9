// Seals contents for what pages and workers are to open; no page seals. Docs/private-messages.md has the form of a box.

import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { page } from './pages.mjs';

const { idOf } = await page('/bells/sealed.js');
const PRIVATE = ['title', 'subtitle', 'body', 'url', 'user_info', 'localized', 'attachments', 'speech', 'parts'];
const PURPOSE = 'eightbells sealed content 1';
const STEP = 256;

/** A content with its private part sealed. */
export async function seal(content, key, fallback = null, random = randomBytes) {
  const parts = Object.entries(content).filter(([name]) => name !== 'sealed');
  const hidden = Buffer.from(JSON.stringify(Object.fromEntries(parts.filter(([name]) => PRIVATE.includes(name)))));
  const padded = Buffer.alloc(Math.max(1, Math.ceil(hidden.length / STEP)) * STEP, ' ');
  hidden.copy(padded);
  const clear = Object.fromEntries(parts.filter(([name]) => !PRIVATE.includes(name)));
  if (fallback) clear.title = fallback;
  else if (!content.silent) {
    Object.assign(clear, { title: 'A private message', localized: { de: { title: 'Eine private Mitteilung' } } });
  }
  const files = (content.attachments ?? []).filter(({ url }) => url?.startsWith('/api/'))
    .map(({ id, url }) => ({ id, url }));
  if (files.length) clear.attachments = files;
  const [id, salt, nonce] = [await idOf(key), random(16), random(12)];
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(hkdfSync('sha256', key, salt, PURPOSE, 32)), nonce);
  cipher.setAAD(Buffer.from(PURPOSE + id));
  const sealed = [cipher.update(padded), cipher.final(), cipher.getAuthTag()];
  const box = Buffer.concat([Buffer.from([1]), salt, nonce, ...sealed]).toString('base64url');
  return { ...clear, sealed: { key: id, box } };
}
