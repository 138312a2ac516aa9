// Private messages: the pages' implementation against vectors that another one has made (Tests/World/seal.py).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { seal } from './seal.mjs';

const {
  canSeal, fromBase64url, idOf, keyIn, linkOf, newKey, open, openFile, proofOf, toBase64url,
} = await page('/bells/sealed.js');
const { emptyRing, KeyRefused, keyOfRing, withKey, withoutKey, withRevoked } = await page('/bells/key-ring.js');
const vectors = JSON.parse(readFileSync(new URL('../Fixtures/sealed/vectors.json', import.meta.url)));
const keys = new Map(vectors.keys.map(({ id, key }) => [id, fromBase64url(key)]));
const keyOf = (id) => keys.get(id);
const random = (count) => fromBase64url(count === 16 ? vectors.salt : vectors.nonce);

test('keys have their ids, proofs and links', async () => {
  assert.ok(canSeal());
  for (const { key: text, id, proof, link } of vectors.keys) {
    const key = fromBase64url(text);
    assert.deepEqual([await idOf(key), toBase64url(await proofOf(key)), linkOf(key, 'https://hub.example')],
      [id, proof, link]);
    assert.deepEqual([keyIn(link), keyIn(text)], [key, key]);
  }
  for (const wrong of ['', 'https://hub.example/bells', 'https://hub.example/bells#key=', '#key=abc', 'x y']) {
    assert.equal(keyIn(wrong), null, wrong);
  }
  assert.equal(new Set([newKey(), newKey()].map(toBase64url)).size, 2);
});

test('contents are sealed byte by byte, and opened', async () => {
  for (const { name, key: text, content, fallback, sealed, opened } of vectors.contents) {
    const made = await seal(content, fromBase64url(text), fallback, random);
    assert.equal(JSON.stringify(made), JSON.stringify(sealed), name);
    assert.equal(JSON.stringify(await open(sealed, keyOf)), JSON.stringify(opened), name);
    assert.equal(await open(sealed, () => undefined), null, name);
    assert.equal(await open(content, keyOf), content, name);
  }
});

test('what was changed on its way is not opened', async () => {
  assert.ok(vectors.not_opened.length > 10);
  for (const { name, sealed } of vectors.not_opened) assert.equal(await open(sealed, keyOf), null, name);
});

test('sealed files are opened, and changed ones are not', async () => {
  const start = new TextEncoder().encode('eightbells sealed file 1\n');
  for (const { size, key: text, nonce, sha256 } of vectors.files) {
    const [key, iv] = [fromBase64url(text), fromBase64url(nonce)];
    const padded = new Uint8Array(Math.max(1, Math.ceil(size / 16384)) * 16384);
    for (let index = 0; index < size; index += 1) padded[index] = index % 251;
    const aes = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt']);
    const rest = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: start }, aes, padded);
    const sealed = Uint8Array.from(Buffer.concat([start, iv, Buffer.from(rest)]));
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', sealed)).toString('hex');
    assert.equal(digest, sha256, 'the very bytes that another implementation has made');
    assert.deepEqual(await openFile(sealed, { key: text, size }), padded.subarray(0, size));
    for (const place of [0, 24, 25, 40, sealed.length - 1]) {
      const changed = sealed.slice();
      changed[place] ^= 1;
      assert.equal(await openFile(changed, { key: text, size }), null, `${place}`);
    }
    for (const wrong of [{}, { key: text }, { key: 'x', size }, { key: text, size: 1_000_000 }]) {
      assert.equal(await openFile(sealed, wrong), null);
    }
  }
});

test('a ring has a current key, older ones, and remembers those that were revoked', async () => {
  const [first, second] = [newKey(), newKey()];
  const [one, two] = [await idOf(first), await idOf(second)];
  const both = await withKey(await withKey(emptyRing, first), second);
  assert.deepEqual([both.current, both.keys.map(({ id }) => id)], [two, [one, two]]);
  assert.deepEqual([keyOfRing(both, one), keyOfRing(both, two), keyOfRing(both, 'x')], [first, second, undefined]);
  const again = await withKey(both, first);
  assert.deepEqual([again.current, again.keys.length], [one, 2]);
  const less = withoutKey(both, two);
  assert.deepEqual([less.current, less.keys.length, less.revoked], [null, 1, []]);
  const revoked = withRevoked(both, two);
  assert.deepEqual([revoked.current, keyOfRing(revoked, two), revoked.revoked], [null, undefined, [two]]);
  await assert.rejects(withKey(revoked, second), (error) => error instanceof KeyRefused && error.why === 'revoked');
  let full = emptyRing;
  for (let index = 0; index < 64; index += 1) full = await withKey(full, newKey());
  await assert.rejects(withKey(full, newKey()), (error) => error.why === 'full');
  let many = emptyRing;
  for (let index = 0; index < 300; index += 1) many = withRevoked(many, `${index}`);
  assert.deepEqual([many.revoked.length, many.revoked.at(-1)], [256, '299']);
});
