// The rules for notifications as the browser has them: the vectors of Tests/Fixtures/notifications over the WebAssembly
// that bin/build-rules has built. The native build answers the same (Tests/Portable/NotificationsTests).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { wrong } from './notification-vectors.mjs';
import { page } from './pages.mjs';

const { NotificationError, notificationRulesFrom } = await page('/notification-rules.js');
const { offsetAt } = await page('/zones.js');
const { RuleError } = await page('/rules.js');

const root = new URL('../../', import.meta.url);
const wasm = readFileSync(new URL('.build/wasm/release/notifications.wasm', root));
const rules = await notificationRulesFrom(wasm);
const title = { title: 'Open' };

for (const file of ['contents.json', 'attachments.json', 'presentation.json', 'responses.json', 'triggers.json',
  'queue.json']) {
  test(`the vectors of ${file}`, () => {
    const vectors = JSON.parse(readFileSync(new URL(`Tests/Fixtures/notifications/${file}`, root)));
    assert.ok(vectors.length >= 20, `${vectors.length} vectors`);
    assert.deepEqual(wrong(rules, vectors), []);
  });
}

test('a vector that is not so is found', () => {
  const vectors = [{ name: 'a', question: { ask: 'content', content: title }, answer: { content: { title: 'Shut' } } },
    { name: 'b', question: { ask: 'content', content: {} }, refused: ['title'] }];
  assert.deepEqual(wrong(rules, vectors).map(({ name }) => name), ['a', 'b']);
});

test('what is refused is an error that names fields', () => {
  assert.throws(() => rules.content({ ...title, badge: -1 }), (error) => {
    assert.ok(error instanceof NotificationError);
    assert.equal(error.message, 'badge: -1; a whole number from 0 to 2147483647 is accepted.');
    return true;
  });
});

test('each rule has its function', () => {
  assert.deepEqual(rules.content(title), title);
  const actions = [{ id: 'a', title: 'A' }, { id: 'b', title: 'B', options: ['destructive'] }];
  const found = rules.actions({ ...title, actions }, { buttons: 1 });
  assert.deepEqual([found.banner, found.all.map(({ id }) => id)], [['a'], ['a', 'b']]);
  assert.deepEqual(found.all.map(({ meaning }) => meaning.is_destructive), [false, true]);
  const category = { id: 'k', actions };
  assert.deepEqual(rules.actions({ ...title, category: 'k' }, { category }).banner, ['a', 'b']);
  assert.equal(rules.localized({ ...title, localized: { de: { title: 'Offen' } } }, 'de').title, 'Offen');
  const settings = { authorization: 'authorized' };
  assert.equal(rules.present(title, { settings, state: { locked: true } }).lock_screen, true);
  assert.equal(rules.response({ action: 'default' }, title).kind, 'opened');
  assert.equal(rules.attachment(new TextEncoder().encode('GIF89a'), 'image/gif'), 'image/gif');
  assert.throws(() => rules.attachment(new TextEncoder().encode('hello'), 'image/gif'), NotificationError);
});

test('a zone is told by its changes', () => {
  const zone = { offset: 3600, transitions: [[1774746000, 7200], [1792890000, 3600]] };
  assert.equal(offsetAt(Date.parse('2026-01-01') / 1000, 'Australia/Lord_Howe'), 39600);
  const morning = { type: 'calendar', components: { hour: 2, minute: 30 } };
  const at = rules.next(morning, { added: Date.parse('2026-03-28T22:00:00Z') / 1000, zone });
  assert.equal(new Date(at * 1000).toISOString(), '2026-03-29T01:30:00.000Z');
});

test('memory is given back, and a long text is refused', () => {
  rules.content(title);
  const long = { title: 'x', user_info: { a: 'a'.repeat(200_000) } };
  for (let round = 0; round < 50; round += 1) assert.throws(() => rules.content(long), NotificationError);
  assert.throws(() => rules.content({ title: 'x', user_info: { a: 'a'.repeat(300_000) } }), NotificationError);
  assert.deepEqual(rules.content(title), title);
});

test('bytes that are no JSON are refused', async () => {
  const { moduleFrom } = await page('/rules.js');
  const call = await moduleFrom(wasm);
  for (const bytes of [[], [0x7B], [0x22, 0xFF, 0x22], Array(200).fill(0x5B)]) {
    const said = call('ask', [], (exports) => {
      const start = exports.question_room(bytes.length);
      new Uint8Array(exports.memory.buffer, start, bytes.length).set(bytes);
      const answer = exports.ask();
      return new TextDecoder().decode(new Uint8Array(exports.memory.buffer, answer, exports.answer_length()));
    });
    assert.match(said, /^\{"faults":\[\{"field":"","seen":"byte /);
  }
  assert.ok(RuleError);
});
