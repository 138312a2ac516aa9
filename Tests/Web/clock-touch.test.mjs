// A page that speaks is heard after it was touched once, as the browsers have it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const listeners = {};
let mayBeHeard = false;
let output;

/** As in browsers: it begins within a touch that is one, or not at all. */
class Output {
  state = 'suspended';
  destination = {};
  currentTime = 0;

  constructor() { output = this; }

  addEventListener(name, act) { listeners[name] = [act]; }

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

test('after a call, and after its page was left, it speaks on without another touch', async () => {
  const change = async (to) => {
    output.state = to;
    await tell('statechange');
    return state.peek();
  };
  assert.equal(await change('interrupted'), 'blocked');
  assert.equal(await change('suspended'), 'ready', 'the call is over');
  assert.equal(await change('interrupted'), 'blocked');
  await tell('visibilitychange');
  assert.equal(state.peek(), 'ready', 'somebody is back');
});
