// The screen stays on while the clock fills it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const locks = [];

class Lock {
  released = false;

  release() {
    if (!this.released) locks.splice(locks.indexOf(this), 1);
    this.released = true;
  }
}

const listeners = {};
let isUntouched = false;
globalThis.addEventListener = () => {}; // those of here.js
globalThis.document = { hidden: false, addEventListener(name, act) { listeners[name] = act; } };
Object.defineProperty(globalThis, 'navigator', { configurable: true, value: {
  languages: ['en'],
  wakeLock: {
    request: async (what) => {
      assert.equal(what, 'screen');
      if (isUntouched) throw new Error('not allowed');
      return locks[locks.push(new Lock()) - 1];
    },
  },
} });
const { screenOn } = await page('/clock/screen.js');
const { chooseHere } = await page('/clock/here.js');
const { isRefused, stayAwake } = await page('/awake.js');
const settled = () => new Promise((resolve) => { setImmediate(resolve); });

test('the screen stays on while the clock fills it, unless one does not want that', async () => {
  screenOn(true);
  await settled();
  assert.equal(locks.length, 1);
  // The browser takes it back while the page is hidden.
  document.hidden = true;
  locks[0].release();
  await listeners.visibilitychange();
  assert.equal(locks.length, 0);
  document.hidden = false;
  await listeners.visibilitychange();
  assert.equal(locks.length, 1);
  screenOn(false);
  await settled();
  assert.equal(locks.length, 0);
  chooseHere({ awake: false });
  screenOn(true);
  await settled();
  assert.equal(locks.length, 0, 'not wanted');
});

test('the screen of a browser that wants a touch first stays on from the first one', async () => {
  isUntouched = true;
  stayAwake('anchor', true);
  await settled();
  assert.deepEqual([locks.length, isRefused()], [0, true]);
  isUntouched = false;
  listeners.touchend();
  listeners.click(); // of the same finger
  await settled();
  assert.deepEqual([locks.length, isRefused()], [1, false]);
  stayAwake('anchor', false);
});

test('an iPhone’s app whose screen goes off all the same says so', async () => {
  navigator.standalone = true;
  stayAwake('anchor', true);
  await settled();
  assert.deepEqual([locks.length, isRefused()], [1, true]);
  stayAwake('anchor', false);
  globalThis.cookieStore = {}; // since iOS 18.4
  stayAwake('anchor', true);
  await settled();
  assert.deepEqual([locks.length, isRefused()], [1, false]);
  stayAwake('anchor', false);
});
