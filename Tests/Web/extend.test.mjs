// Extensions of notifications, in virtual time; and the built-in one, which attaches files.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtual } from './clock.mjs';
import { page } from './pages.mjs';

const { GRACE, LIMIT, chosen, run } = await page('/bells/extend.js');
const { extend: media, kindByName, mediaOf } = await page('/bells/media.js');

const sent = { title: 'Open', body: 'Ada', mutable: true, user_info: { a: [1] } };

/** A run of a module: its result so far, and when it came. */
function started(extend, options = {}) {
  const it = virtual();
  run(extend, sent, { clock: it.clock, ...options }).then((result) => Object.assign(it, { result, after: it.time }));
  return it;
}

const changed = { title: 'Changed' };
const good = {
  'returns it': () => changed,
  'promises it': async () => changed,
  'calls done': (_, { done }) => done(changed),
  'calls done, and ends later': async (_, { done }) => { done(changed); await null; },
};

for (const [name, extend] of Object.entries(good)) {
  test(`a module that ${name} changes the content at once`, async () => {
    const it = started(extend);
    await it.pass(0);
    assert.deepEqual(it.result, { content: changed, fault: undefined });
    assert.deepEqual(it.timers, [], 'nothing goes on');
  });
}

const bad = {
  crashed: [() => { throw new Error('x'); }, async () => { throw new Error('x'); },
    () => Promise.reject(new Error('x'))],
  twice: [async (_, { done }) => { done(changed); done(changed); }, (_, { done }) => { done(changed); return changed; },
    async (_, { done }) => { done(changed); return changed; }],
  empty: [async () => {}, () => null, () => ({}), () => ({ title: '', attachments: [] }), () => ({ user_info: {} }),
    () => ({ title: 'a', silent: true })],
  garbage: [() => 'Open', () => 7, () => [], () => ({ title: 'refused' }), () => ({ title: 'a', more: 7n })],
  too_large: [() => ({ title: 'a', body: 'ä'.repeat(8_192) })],
};
const accepts = ({ title }) => { if (title === 'refused') throw new Error('no content'); };

for (const [fault, modules] of Object.entries(bad)) {
  for (const [index, extend] of modules.entries()) {
    test(`what is ${fault} (${index + 1}) is shown as it was sent`, async () => {
      const it = started(extend, { accepts });
      await it.pass(0);
      assert.deepEqual(it.result, { content: sent, fault });
    });
  }
}

test('one that hangs is told that its time expires, and then the original is shown', async () => {
  const said = [];
  const it = started((_, { signal, left }) => {
    said.push(left());
    return new Promise(() => { signal.addEventListener('abort', () => said.push(signal.reason.name, left())); });
  });
  await it.pass(LIMIT - 1);
  assert.deepEqual([said, it.result], [[LIMIT], undefined]);
  await it.pass(1);
  assert.deepEqual([said, it.result], [[LIMIT, 'TimeoutError', 0], undefined]);
  await it.pass(GRACE);
  assert.deepEqual([it.result, it.after], [{ content: sent, fault: 'late' }, LIMIT + GRACE]);
});

test('what it has when its time expires is shown, and what comes later is not', async () => {
  const best = started((_, { signal, done }) => { signal.addEventListener('abort', () => done(changed)); });
  await best.pass(LIMIT);
  assert.deepEqual([best.result, best.after], [{ content: changed, fault: undefined }, LIMIT]);
  // It has answered, and goes on with something else.
  const busy = started((_, { done }) => { done(changed); return new Promise(() => {}); });
  await busy.pass(LIMIT);
  assert.deepEqual(busy.result.content, changed);
  let late;
  const it = started((_, { done }) => { late = done; });
  await it.pass(LIMIT + GRACE);
  late(changed);
  late(changed);
  await it.pass(1);
  assert.deepEqual(it.result, { content: sent, fault: 'late' });
});

test('a module cannot change the original, nor its answer afterwards', async () => {
  let answer;
  const it = started((content) => {
    content.user_info.a.push(2);
    content.title = '';
    throw new Error('x');
  });
  await it.pass(0);
  assert.deepEqual(it.result.content, { title: 'Open', body: 'Ada', mutable: true, user_info: { a: [1] } });
  const other = started((content) => {
    answer = content;
    return content;
  });
  await other.pass(0);
  answer.title = 'later';
  assert.equal(other.result.content.title, 'Open');
});

test('the category chooses; what is not mutable, or silent, is not changed', () => {
  const [door, rest] = [{ categories: ['door', 'gate'] }, { categories: ['*'] }];
  const of = (content) => chosen([door, rest], { mutable: true, ...content });
  assert.deepEqual([of({ category: 'door' }), of({ category: 'gate' }), of({ category: 'tide' }), of({}),
    of({ category: '*' })], [door, door, rest, rest, rest]);
  assert.deepEqual([of({ mutable: false }), of({ mutable: 1 }), of({ silent: true })], Array(3).fill(undefined));
  assert.equal(chosen([door], { mutable: true, category: 'tide' }), undefined);
});

// The built-in one

const PNG = 'https://pictures.example/a.png';

test('addresses of files are found in the payload, and none beside them', () => {
  const info = {
    'my-image': PNG, page: 'https://pictures.example/', text: 'a.png', film: 'https://films.example/f.MP4?x=1#t',
    media: ['https://sounds.example/1', { url: 'https://sounds.example/2', type: 'audio/wav', alt: 'Bell' }, 7, {}],
  };
  assert.deepEqual(mediaOf({ mutable: true, user_info: info }), [
    { id: 'media', url: 'https://sounds.example/1' },
    { id: 'media-2', url: 'https://sounds.example/2', type: 'audio/wav', alt: 'Bell' },
    { id: 'my-image', url: PNG }, { id: 'film', url: info.film },
  ]);
  assert.deepEqual(mediaOf({ user_info: info }), [], 'the sender has to allow it');
  assert.deepEqual(mediaOf({ mutable: true, user_info: { media: 'javascript:alert(1)' } }), []);
  const attachments = [{ id: 'media', url: PNG }, { id: 'b', url: '/1' }, { id: 'c', url: '/path.png' }];
  assert.deepEqual(mediaOf({ mutable: true, attachments, user_info: { media: PNG, ['x'.repeat(65)]: PNG } }).map(
    ({ id, isOwn }) => [id, isOwn]), [['media', true], ['media-1', undefined], ['media-2', undefined]]);
  const all = ['https://a.example/b.GIF', 'http://a.example/b.wav', 'https://a.png', 'https://a.example/png', 'a.png'];
  assert.deepEqual(all.map(kindByName), ['image', 'audio', undefined, undefined, undefined]);
});

test('files are attached by what the hub has fetched; one that cannot be had is left out', async () => {
  const content = {
    title: 'Ada', mutable: true,
    attachments: [{ id: 'own', url: 'https://gone.example/x.gif' }, { id: 'b', url: '/1' }],
    user_info: { 'my-image': PNG, bell: 'https://sounds.example/bell.wav' },
  };
  const asked = [];
  const attach = async ({ url, type }) => {
    asked.push([url, type]);
    if (url.includes('gone')) throw new Error('404');
    return { url: `blob of ${url}`, type: url === PNG ? 'image/png' : 'audio/wav' };
  };
  assert.deepEqual(await media(content, { attach }), {
    ...content,
    attachments: [...content.attachments, { id: 'my-image', url: `blob of ${PNG}`, type: 'image/png' },
      { id: 'bell', url: 'blob of https://sounds.example/bell.wav', type: 'audio/wav' }],
  });
  assert.equal(asked.length, 3);
  assert.equal(await media(sent, { attach }), sent);
  const alone = { ...sent, user_info: { a: 'https://gone.example/x.gif' } };
  await assert.rejects(media(alone, { attach }), /404/, 'the trace is to say so');
});

test('what was fetched when its time expires is attached', async () => {
  const content = { ...sent, user_info: { a: PNG, b: 'https://slow.example/b.png' } };
  const attach = ({ url }, signal) => (url === PNG ? Promise.resolve({ url: '1', type: 'image/png' })
    : new Promise((_, reject) => { signal.addEventListener('abort', () => reject(signal.reason)); }));
  const it = virtual();
  const result = run(media, content, { clock: it.clock, tools: { attach } });
  await it.pass(LIMIT);
  assert.deepEqual((await result).content.attachments, [{ id: 'a', url: '1', type: 'image/png' }]);
});
