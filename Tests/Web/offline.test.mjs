// Pages that are kept on the device: when they give way to newer ones.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { page } from './pages.mjs';

globalThis.document = { hidden: true, readyState: 'complete', querySelector: () => null, activeElement: null };
const leaving = new EventTarget();
globalThis.dispatchEvent = (event) => leaving.dispatchEvent(event);
const heard = {};
globalThis.addEventListener = (name, act) => { heard[name] ??= act; };
const { holding, keepPages, whenQuiet } = await page('/offline.js');

test('no page is loaded anew while its room would lose something by it', (context) => {
  mock.timers.enable({ apis: ['setInterval'] });
  context.after(() => mock.timers.reset());
  const reloads = new Set();
  let isWatching = true;
  const end = holding(() => isWatching);
  whenQuiet(() => reloads.add('first'));
  mock.timers.tick(60_000);
  assert.deepEqual([...reloads], []);
  isWatching = false;
  mock.timers.tick(5_000);
  assert.deepEqual([...reloads], ['first']);
  isWatching = true;
  whenQuiet(() => reloads.add('second'));
  assert.deepEqual([...reloads], ['first']);
  end();
  mock.timers.tick(5_000);
  assert.deepEqual([...reloads], ['first', 'second']);
});

test('a page that asks before it is left is not loaded anew either, and then asks nothing', (context) => {
  mock.timers.enable({ apis: ['setInterval'] });
  context.after(() => mock.timers.reset());
  let isTouched = true;
  leaving.addEventListener('beforeunload', (event) => { if (isTouched) event.preventDefault(); });
  let reloads = 0;
  whenQuiet(() => { reloads += 1; });
  mock.timers.tick(60_000);
  assert.equal(reloads, 0);
  isTouched = false;
  mock.timers.tick(5_000);
  assert.equal(reloads, 1);
});

test('behind a phone’s library of pictures the page stays: what is chosen there would be lost', (context) => {
  mock.timers.enable({ apis: ['setInterval'] });
  context.after(() => mock.timers.reset());
  for (const name of ['change', 'cancel', 'pointerdown']) {
    let reloads = 0;
    heard.click({ target: { type: 'file' } });
    whenQuiet(() => { reloads += 1; });
    mock.timers.tick(60_000);
    assert.equal(reloads, 0);
    heard[name]({ target: {} });
    mock.timers.tick(5_000);
    assert.equal(reloads, 1, name);
  }
});

test('a new version that the page before has found is taken, too', async (context) => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  context.after(() => {
    if (before) Object.defineProperty(globalThis, 'navigator', before);
    else delete globalThis.navigator;
  });
  const told = [];
  const coming = Object.assign(new EventTarget(), { postMessage: (word) => told.push(word) });
  const registration = Object.assign(new EventTarget(), { installing: coming, waiting: null });
  const serviceWorker = Object.assign(new EventTarget(), {
    controller: {}, ready: Promise.resolve(), register: async () => registration,
  });
  Object.defineProperty(globalThis, 'navigator', { value: { serviceWorker }, configurable: true });
  await keepPages();
  assert.deepEqual(told, []);
  Object.assign(registration, { installing: null, waiting: coming });
  coming.dispatchEvent(new Event('statechange'));
  assert.deepEqual(told, ['take over']);
});

test('a page that somebody goes back to is loaded anew, unless something in it was not sent', async (context) => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  let reloads = 0;
  Object.defineProperty(globalThis, 'navigator', { value: { onLine: true }, configurable: true });
  globalThis.location = { reload() { reloads += 1; } };
  const field = { autocomplete: 'off', isConnected: true, value: 'cake', form: {}, matches: () => true };
  document.querySelectorAll = (all) => (all === `input[autocomplete=${field.autocomplete}]` ? [field] : []);
  context.after(() => {
    if (before) Object.defineProperty(globalThis, 'navigator', before);
    else delete globalThis.navigator;
    delete globalThis.location;
    delete document.querySelectorAll;
    field.isConnected = false;
  });
  const comeBack = async (persisted = true) => {
    const past = reloads;
    heard.pagehide({});
    assert.equal(field.autocomplete, 'on'); // or Safari empties it
    heard.pageshow({ persisted });
    assert.equal(field.autocomplete, 'off');
    await new Promise((resolve) => { setTimeout(resolve, 5); });
    return reloads - past;
  };
  assert.equal(await comeBack(false), 0);
  assert.equal(await comeBack(), 1);
  heard.input({ target: field });
  assert.equal(await comeBack(), 0);
  heard.submit({ target: field.form });
  assert.equal(await comeBack(), 1);
  navigator.onLine = false;
  assert.equal(await comeBack(), 0);
  navigator.onLine = true;
  heard.input({ target: field });
  assert.equal(await comeBack(), 0);
  const end = holding(() => true);
  field.value = '';
  assert.equal(await comeBack(), 0);
  end();
  assert.equal(await comeBack(), 1);
});
