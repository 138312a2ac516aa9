// The room's part of the service worker: private messages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actions, message, worker } from './bells-worker.mjs';
import { page } from './pages.mjs';
import { seal } from './seal.mjs';

const { fromBase64url, idOf, newKey, toBase64url } = await page('/bells/sealed.js');

const KEY = newKey();
const KEY_ID = await idOf(KEY);
const withKey = async (id) => (id === KEY_ID ? KEY : undefined);
const sealedMessage = async (content, fallback) => ({
  v: 1, id: '12', version: 1, receipt: 'r', content: await seal(content, KEY, fallback),
});
const notes = (it) => it.sent.filter(({ what }) => what === 'shown').map(({ note }) => note);

test('a private message is opened before it is shown', async () => {
  const it = worker({ keptKey: withKey });
  await it.push(await sealedMessage({ title: 'Open', body: 'Ada', actions: [{ id: 'yes', title: 'Yes' }] }));
  assert.deepEqual([it.screen[0].title, it.screen[0].body, it.screen[0].actions[0].action], ['Open', 'Ada', 'yes']);
  assert.deepEqual(notes(it), [undefined]);
  assert.ok(!JSON.stringify(it.sent).includes('Ada'), 'the hub is told nothing of it');
});

test('without the key, with a broken box or too late, its fallback is shown, and the hub is told', async () => {
  const never = () => new Promise(() => {});
  const failing = async () => { throw new Error('no storage'); };
  const other = async () => newKey();
  for (const options of [{}, { keptKey: failing }, { keptKey: never, isLate: true }, { keptKey: other }]) {
    for (const [fallback, title] of [['Something new', 'Something new'], [null, 'A private message']]) {
      const it = worker(options);
      await it.push(await sealedMessage({ title: 'Open' }, fallback));
      assert.equal(it.screen[0].title, title);
      assert.deepEqual(notes(it), ['not_opened']);
    }
  }
  const german = worker({ languages: ['de-DE'] });
  await german.push(await sealedMessage({ title: 'Open' }));
  assert.equal(german.screen[0].title, 'Eine private Mitteilung');
  const broken = worker({ keptKey: withKey });
  const one = await sealedMessage({ title: 'Open' });
  one.content.sealed.box = `${one.content.sealed.box.slice(0, -4)}AAAA`;
  await broken.push(one);
  assert.equal(broken.screen[0].title, 'A private message');
});

test('the picture of a private message is opened, and left out where that fails', async () => {
  const [key, iv] = [newKey(), new Uint8Array(12)];
  const start = new TextEncoder().encode('eightbells sealed file 1\n');
  const aes = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt']);
  const rest = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: start }, aes, new Uint8Array(16384));
  const url = `/api/v1/bells/attachments/${'ab'.repeat(16)}`;
  const file = Buffer.concat([start, iv, Buffer.from(rest)]);
  const picture = { id: 'file-1', url, type: 'image/png', key: toBase64url(key), size: 3 };
  const shown = async (attachment, files) => {
    const it = worker({ keptKey: withKey, files });
    await it.push(await sealedMessage({ title: 'Open', attachments: [attachment] }));
    assert.equal(it.screen[0].title, 'Open');
    return it.screen[0].image;
  };
  assert.equal(await shown(picture, { [url]: file }), 'data:image/png;base64,AAAA');
  assert.deepEqual(fromBase64url('AAAA'), new Uint8Array(3));
  assert.equal(await shown({ ...picture, size: 3_000_000 }, { [url]: file }), undefined, 'too large for a push');
  assert.equal(await shown({ ...picture, key: toBase64url(newKey()) }, { [url]: file }), undefined);
  assert.equal(await shown(picture, { [url]: file.subarray(0, 100) }), undefined);
  assert.equal(await shown(picture, {}), undefined);
});

test('an extension gets a private message when it is opened, and nothing of it is fetched by the hub', async () => {
  const asked = [];
  const options = {
    keptKey: withKey, media: async (url, said) => { asked.push(said); return Response.json({}); },
    doorExtension: async (content, { attach }) => {
      await attach({ url: 'https://private.example/a.png' }).catch(() => {});
      return { ...content, title: `${content.title}!` };
    },
  };
  const picture = { id: 'a', url: 'https://private.example/a.png', type: 'image/png' };
  const mutable = { mutable: true, attachments: [picture] };
  const one = worker(options);
  await one.push(await sealedMessage({ title: 'Open', category: 'door', ...mutable }));
  assert.equal(one.screen[0].title, 'Open!');
  const rest = worker(options);
  await rest.push(await sealedMessage({ title: 'Open', ...mutable }));
  assert.deepEqual([rest.screen[0].title, rest.screen[0].image], ['Open', 'https://private.example/a.png']);
  assert.deepEqual([asked, notes(one), notes(rest)], [[], [undefined], [undefined]]);
});
