// A page that speaks is heard after it was touched once, as the browsers have it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const listeners = {};
let mayBeHeard = false;

/** As in browsers: it begins within a touch that is one, or not at all. */
class Output {
  state = 'suspended';
  destination = {};
  currentTime = 0;

  addEventListener() {}

  resume() {
    if (!mayBeHeard) return new Promise(() => {});
    this.state = 'running';
    return Promise.resolve();
  }
}

globalThis.AudioContext = Output;
globalThis.GainNode = class { gain = { value: 1 }; connect() {} };
globalThis.addEventListener = (name, act) => { (listeners[name] ??= []).push(act); };
globalThis.setInterval = () => {};
Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { languages: ['en'] } });
const { chooseHere } = await page('/clock/here.js');
const { startSpeaker, state } = await page('/clock/speaker.js');
const settled = () => new Promise((resolve) => { setImmediate(resolve); });

async function tell(...names) {
  for (const name of names) for (const act of listeners[name] ?? []) act({ type: name });
  await settled();
}

test('one tap of a finger is enough: it may be heard from when the finger is lifted', async () => {
  chooseHere({ on: true });
  startSpeaker();
  await settled();
  assert.equal(state.peek(), 'blocked');
  await tell('pointerdown', 'touchstart');
  assert.equal(state.peek(), 'blocked');
  mayBeHeard = true;
  await tell('pointerup', 'touchend', 'click');
  assert.equal(state.peek(), 'ready');
});
