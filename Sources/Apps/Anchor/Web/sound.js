// The alarm's sound on this page: two tones, again and again, until somebody acts.

import { signal } from '/ui.js';

const [HIGH, LOW] = [1320, 880]; // hertz
const BEAT = 0.4; // seconds of a tone
const AHEAD = 30; // seconds that are laid at once: timers sleep in a hidden page

/** True while the browser keeps this page silent: it wants to be touched first, or a call has the loudspeaker. */
export const isMuted = signal(false);

let context = null;
let voice = null;
let timer;

const look = () => isMuted.set(context.state !== 'running');

function wake() {
  if (!context) {
    context = new AudioContext();
    context.addEventListener('statechange', () => {
      look();
      if (voice) wake(); // a call is over
    });
  }
  context.resume().then(look, look);
  look();
}

function lay() {
  voice?.stop();
  voice = context.createOscillator();
  const gain = context.createGain();
  voice.type = 'square';
  const start = context.currentTime;
  for (let at = 0; at < AHEAD; at += BEAT) {
    voice.frequency.setValueAtTime(Math.round(at / BEAT) % 2 ? LOW : HIGH, start + at);
  }
  gain.gain.value = 0.8;
  voice.connect(gain).connect(context.destination);
  voice.start();
  voice.stop(start + AHEAD);
}

export const sound = {
  /** Asks for the loudspeaker; called by a hand: only then a browser lets a page be heard. */
  allow: wake,
  /** Sounds, or is still. */
  ring(isOn) {
    // The silent switch of an iPhone leaves what is played its sound, but not the tones that a page makes by itself.
    if (navigator.audioSession) navigator.audioSession.type = isOn ? 'playback' : 'auto';
    clearInterval(timer);
    voice?.stop();
    voice = null;
    if (!isOn) return;
    wake();
    lay();
    timer = setInterval(lay, AHEAD * 1000 - 200);
  },
};
