// Some seconds of sound that go with a picture. The microphone is asked for when the button is pressed, and not before.

import { ending, html, signal } from '/ui.js';
import { drawing, icons } from '/albums/icons.js';
import { record } from '/albums/album/recording.js';
import { words } from '/albums/album/words.js';

const LONGEST = 10; // seconds
const TYPES = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'];

export const says = words.sound;

/** Records what the microphone hears, unless it `isOver` by then; `onleft` is told the seconds left. */
async function listen(onleft, isOver) {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const end = () => { for (const track of stream.getTracks()) track.stop(); };
  if (isOver()) return void end();
  const running = record(stream, { types: TYPES, longest: LONGEST, name: 'sound', audioBitsPerSecond: 64_000 }, onleft);
  running.file.then(end, end);
  return running;
}

/** The button that adds a sound to a picture; `add(file)` gets it. While it `hasSound`, `added` is said instead. */
export function soundButton(add, hasSound, added = says.added) {
  const left = signal(null);
  const problem = signal('');
  let [running, isBegun, isOver] = [null, false, false];
  const begin = async () => {
    if (isBegun) return; // pressed twice, while the browser asks
    isBegun = true;
    problem.set('');
    try {
      running = await listen((seconds) => left.set(seconds), () => isOver);
      if (running) await add(await running.file);
    } catch (error) {
      console.warn(error);
      problem.set(error.name === 'NotAllowedError' ? says.refused : says.failed);
    } finally {
      running = null;
      isBegun = false;
      left.set(null);
    }
  };
  ending(() => {
    isOver = true;
    running?.stop();
  });
  return html`${() => {
    if (left() !== null) {
      // A name that changed each second would be read aloud, into the recording.
      return html`<button class="button wide" type="button" @click=${() => running?.stop()}>${says.stop} <span
        class="sound-left" aria-hidden="true">${() => says.left(left() ?? 0)}</span></button>`;
    }
    if (hasSound()) return html`<p class="quiet small" role="status">${added}</p>`;
    return html`<button class="button wide" type="button" @click=${begin}>${drawing(icons.microphone)}${
      says.add}</button>`;
  }}${() => (problem() ? html`<p class="note" role="alert">${problem()}</p>` : '')}`;
}
