// The alarm's sound on this page: two tones, again and again, until somebody acts.

const [HIGH, LOW] = [1320, 880]; // hertz
const BEAT = 0.4; // seconds of a tone
const AHEAD = 30; // seconds that are laid at once: timers sleep in a hidden page

let context = null;
let voice = null;
let timer;

function lay() {
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = 'square';
  const start = context.currentTime;
  for (let at = 0; at < AHEAD; at += BEAT) {
    oscillator.frequency.setValueAtTime(Math.round(at / BEAT) % 2 ? LOW : HIGH, start + at);
  }
  gain.gain.value = 0.8;
  oscillator.connect(gain).connect(context.destination);
  oscillator.start();
  oscillator.stop(start + AHEAD);
  return oscillator;
}

export const sound = {
  /** Called by a hand: only then a browser lets a page be heard. */
  allow() {
    context ??= new AudioContext();
    context.resume();
  },
  /** Sounds, or is still. */
  ring(isOn) {
    clearInterval(timer);
    voice?.stop();
    voice = null;
    if (!isOn) return;
    context ??= new AudioContext();
    context.resume().catch(() => {}); // not touched yet: the notification rings
    voice = lay();
    timer = setInterval(() => {
      voice?.stop();
      voice = lay();
    }, AHEAD * 1000 - 200);
  },
};
