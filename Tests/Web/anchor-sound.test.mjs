// The alarm's sound of a page on an iPhone whose switch is on silent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const audioSession = { type: 'auto' };
Object.defineProperty(globalThis, 'navigator', { configurable: true, value: { audioSession, languages: ['en'] } });

let sounding = 0;
globalThis.AudioContext = class {
  state = 'running';

  currentTime = 0;

  destination = {};

  addEventListener() {}

  async resume() {}

  createGain() { return { gain: {}, connect() {} }; }

  createOscillator() {
    return {
      frequency: { setValueAtTime() {} }, connect: (gain) => gain,
      start() { sounding += audioSession.type === 'playback'; }, stop() {},
    };
  }
};
const { sound } = await page('/anchor/sound.js');

test('it is heard with the silent switch on, and leaves others their music until it rings', () => {
  sound.allow();
  assert.equal(audioSession.type, 'auto');
  sound.ring(true);
  assert.equal(sounding, 1);
  sound.ring(false);
  assert.equal(audioSession.type, 'auto');
});
