// A page of the anchor watch that would be silent if it were loaded anew stays as it is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

globalThis.location ??= { origin: 'http://hub.example' };
globalThis.document = {
  hidden: true, documentElement: { dataset: {} }, addEventListener() {}, activeElement: null,
  querySelector: () => null, querySelectorAll: () => [],
};
globalThis.addEventListener = globalThis.removeEventListener = () => {};
globalThis.dispatchEvent = () => true;
Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { onLine: true, languages: ['en'] } });

/** The page's output, which sounds once somebody has touched the page. */
let output;
globalThis.AudioContext = class {
  state = 'suspended';

  constructor() { output = this; }

  addEventListener(name, act) { this.changed = act; }

  async resume() {}

  become(state) {
    this.state = state;
    this.changed();
  }
};

test('one that only rings is not loaded anew while the watch is armed and it may be heard', async (context) => {
  let looks = [];
  context.mock.method(globalThis, 'setInterval', (act) => looks.push(act));
  context.mock.method(globalThis, 'setTimeout', () => {});
  context.mock.method(globalThis, 'clearInterval', () => {});
  context.mock.method(globalThis, 'fetch', async () => { throw new TypeError('no network'); });
  context.mock.method(console, 'error', () => {});
  const { status } = await page('/anchor/model.js');
  const { startWatching } = await page('/anchor/watching.js');
  const { whenQuiet } = await page('/offline.js');
  const watch = { state: 'holding', settings: { zone: { shape: 'circle', radius_m: 40 } }, sources: [] };
  startWatching();
  const isLoadedAnew = async () => {
    await new Promise((resolve) => { setImmediate(resolve); });
    looks = [];
    let isSo = false;
    whenQuiet(() => { isSo = true; });
    return isSo;
  };
  status.set({ ...watch, armed: true });
  assert.equal(await isLoadedAnew(), true, 'nobody has touched it, and it is as silent afterwards');
  output.become('running');
  assert.equal(await isLoadedAnew(), false);
  status.set({ ...watch, armed: false });
  assert.equal(await isLoadedAnew(), true, 'nothing rings');
  status.set({ state: 'idle' });
  assert.equal(await isLoadedAnew(), true);
});
