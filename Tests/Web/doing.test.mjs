// Actions of buttons, and of switches of which somebody turns several in a row.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { page } from './pages.mjs';

const { copyText } = await page('/copying.js');
const { careful } = await page('/doing.js');
const { explained } = await page('/errors.js');
const { HubError } = await page('/keep.js');
const { tried } = await page('/trying.js');

/** Actions that end when the test says so, and what they have done. */
function actions() {
  const done = [];
  const ends = {};
  const act = (name) => () => new Promise((resolve, reject) => {
    done.push(name);
    ends[name] = { resolve, reject };
  });
  return { act, done, ends };
}
const turns = () => new Promise((resolve) => { setTimeout(resolve); });

test('a button that is pressed twice acts once', async () => {
  const { doing, isBusy } = careful();
  const { act, done, ends } = actions();
  doing(act('first'));
  doing(act('second'));
  assert.ok(isBusy());
  ends.first.resolve();
  await turns();
  assert.deepEqual(done, ['first']);
  assert.ok(!isBusy());
});

test('of switches that are turned in a row none is forgotten, also behind one that fails', async () => {
  const { doing, inTurn, note } = careful((error) => error.message);
  const { act, done, ends } = actions();
  doing(act('button'));
  for (const name of ['one', 'other']) inTurn(act(name));
  await turns();
  assert.deepEqual(done, ['button']);
  ends.button.resolve();
  await turns();
  assert.deepEqual(done, ['button', 'one']);
  ends.one.reject(new Error('it is no use'));
  await turns();
  assert.deepEqual(done, ['button', 'one', 'other']);
  ends.other.resolve();
  await turns();
  assert.equal(note(), '', 'what went well after that is what is told');
});

test('a switch whose change fails is turned back, and one whose change is made stays', async () => {
  const { inTurn } = careful();
  const undone = [];
  await inTurn(() => {}, () => undone.push('made'));
  await inTurn(() => { throw new Error('refused'); }, () => undone.push('refused'));
  assert.deepEqual(undone, ['refused']);
});

test('a button that makes something makes one thing, however often it is pressed meanwhile', async () => {
  const { once, problem } = tried();
  const ends = [];
  const press = () => once(() => new Promise((resolve, reject) => { ends.push({ resolve, reject }); }));
  const first = press();
  await press();
  assert.equal(ends.length, 1);
  ends[0].reject(new Error('no network'));
  await first;
  assert.ok(problem(), 'it says why it failed');
  const again = press();
  ends[1].resolve();
  await again;
  assert.equal(problem(), null);
});

test('a text that is still to come is given to the clipboard at once, while the button is pressed', async (t) => {
  const given = [];
  const clipboard = { write: async ([item]) => given.push(await (await item.parts['text/plain']).text()) };
  const write = t.mock.method(clipboard, 'write');
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  Object.defineProperty(globalThis, 'navigator', { value: { clipboard }, configurable: true });
  globalThis.ClipboardItem = class { constructor(parts) { this.parts = parts; } };
  t.after(() => {
    if (before) Object.defineProperty(globalThis, 'navigator', before);
    else delete globalThis.navigator;
    delete globalThis.ClipboardItem;
  });
  let answer;
  const copied = copyText(new Promise((resolve) => { answer = resolve; }));
  assert.equal(write.mock.callCount(), 1, 'the answer is not there yet');
  answer('a.jpg');
  await copied;
  assert.deepEqual(given, ['a.jpg']);
  await assert.rejects(copyText(Promise.reject(new HubError(503))), HubError, 'why there is none');
});

test('what the browser forbids is not called a hub out of reach', (t) => {
  t.mock.method(console, 'error', () => {});
  const { title } = explained(new DOMException('no', 'NotAllowedError'), 'en');
  assert.equal(title, 'The browser does not let this page do that.');
  // An authenticator without a screen lock, a key without room for one more passkey.
  for (const name of ['NotSupportedError', 'ConstraintError', 'SecurityError', 'UnknownError']) {
    assert.equal(explained(new DOMException('no', name), 'en').title, title);
  }
  assert.equal(explained(new DOMException('late', 'TimeoutError'), 'en').title, 'The hub cannot be reached.');
  assert.equal(explained(new TypeError('Load failed'), 'en').title, 'The hub cannot be reached.');
});
