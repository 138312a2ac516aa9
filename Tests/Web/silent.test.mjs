// Silent notifications on open pages, in virtual time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { virtual } from './clock.mjs';
import { page } from './pages.mjs';

const { onSilent, wake } = await page('/bells/silent.js');

const message = { content: { silent: true, user_info: { a: 1 } }, seconds: 30 };
const started = (...handlers) => {
  const it = virtual();
  wake(message, { all: new Set(handlers), clock: it.clock }).then((result) => { it.result = result; });
  return it;
};

test('the weightiest answer counts, and the time is told', async () => {
  for (const [answers, expected] of [[['no_data'], 'no_data'], [['no_data', 'new_data', 'failed'], 'new_data'],
    [['no_data', 'failed'], 'failed'], [[undefined], 'no_answer'], [['yes'], 'no_answer']]) {
    const it = started(...answers.map((answer) => () => answer));
    await it.pass(0);
    assert.deepEqual(it.result, { answer: expected, took: 0 });
    assert.deepEqual(it.timers, []);
  }
  const it = started(() => { throw new Error('x'); });
  await it.pass(0);
  assert.equal(it.result.answer, 'failed');
});

test('work can ask how long is left, and is told to stop when five seconds are', async () => {
  const said = [];
  const it = started(({ content, signal, left }) => new Promise((resolve) => {
    said.push(content.user_info.a, left());
    signal.addEventListener('abort', () => {
      said.push(left());
      resolve('new_data');
    });
  }));
  await it.pass(24_999);
  assert.deepEqual([said, it.result], [[1, 30_000], undefined]);
  await it.pass(1);
  assert.deepEqual([said, it.result], [[1, 30_000, 5_000], { answer: 'new_data', took: 25 }]);
});

test('one that hangs has no answer at the end, and does not keep that of others', async () => {
  const hangs = () => new Promise(() => {});
  const it = started(hangs);
  await it.pass(30_000);
  assert.deepEqual(it.result, { answer: 'no_answer', took: 30 });
  const other = started(hangs, () => 'new_data');
  await other.pass(30_000);
  assert.deepEqual(other.result, { answer: 'new_data', took: 30 });
});

test('modules of other rooms answer by the event', async () => {
  const it = virtual();
  const asked = [];
  const tell = ({ content, left, answer }) => {
    asked.push(content.silent, left());
    answer(Promise.resolve('new_data'));
    answer(Promise.reject(new Error('x')));
  };
  const result = wake(message, { all: new Set(), clock: it.clock, tell });
  await it.pass(0);
  assert.deepEqual([asked, await result], [[true, 30_000], { answer: 'new_data', took: 0 }]);
});

test('where nobody is registered, nothing is answered', async () => {
  assert.equal(await wake(message), undefined);
  const end = onSilent(() => 'no_data');
  assert.equal((await wake(message)).answer, 'no_data');
  end();
  assert.equal(await wake(message), undefined);
});
