// Some seconds of sound that go with a picture. The microphone is asked for when the button is pressed, and not before.

import { ending, html, signal } from '/ui.js';
import { drawing, icons } from '/albums/album/icons.js';
import { words } from '/albums/album/words.js';

const LONGEST = 10; // seconds
const TYPES = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'];

const says = words.sound;

/** True if this page may record: not over plain HTTP. */
export const canRecord = () => Boolean(globalThis.isSecureContext && globalThis.MediaRecorder
  && navigator.mediaDevices?.getUserMedia);

/** A recording under way: {file, stop()}; `file` is resolved when it ends. `onleft` is told the seconds left. */
async function record(onleft) {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const mimeType = TYPES.find((one) => MediaRecorder.isTypeSupported(one));
  const recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: 64_000 });
  const parts = [];
  let left = LONGEST;
  const stop = () => { if (recorder.state !== 'inactive') recorder.stop(); };
  const timer = setInterval(() => {
    left -= 1;
    onleft(left);
    if (left <= 0) stop();
  }, 1_000);
  const file = new Promise((resolve, reject) => {
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onerror = ({ error }) => reject(error);
    recorder.onstop = () => {
      clearInterval(timer);
      for (const track of stream.getTracks()) track.stop();
      const type = recorder.mimeType.split(';')[0];
      resolve(new File(parts, `sound.${type.split('/')[1]}`, { type }));
    };
  });
  onleft(left);
  recorder.start();
  return { file, stop };
}

/** The button that adds a sound to a picture; `add(file)` gets it. */
export function soundButton(add, hasSound) {
  const left = signal(null);
  const isRefused = signal(false);
  let running = null;
  const begin = async () => {
    isRefused.set(false);
    try {
      running = await record((seconds) => left.set(seconds));
      await add(await running.file);
    } catch (error) {
      console.warn(error);
      isRefused.set(true);
    } finally {
      running = null;
      left.set(null);
    }
  };
  ending(() => running?.stop());
  return html`${() => {
    if (left() !== null) {
      return html`<button class="button wide" type="button" @click=${() => running?.stop()}>${says.stop} <span
        class="sound-left">${() => says.left(left() ?? 0)}</span></button>`;
    }
    if (hasSound()) return html`<p class="quiet small">${says.added}</p>`;
    return html`<button class="button wide" type="button" @click=${begin}>${drawing(icons.sound)}${says.add}</button>`;
  }}${() => (isRefused() ? html`<p class="note" role="alert">${says.refused}</p>` : '')}`;
}
