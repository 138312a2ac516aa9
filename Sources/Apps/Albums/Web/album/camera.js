// The camera in the page: one press, one picture, the next at once. Each goes into the queue while the camera stays
// open.

import { effect, element, ending, html, signal } from '/ui.js';
import { stayAwake } from '/albums/album/awake.js';
import { drawing, icons } from '/albums/album/icons.js';
import { words } from '/albums/album/words.js';

const SIZE = { width: { ideal: 4096 }, height: { ideal: 3072 } };
const SLOW = 2_500; // milliseconds for the camera's own full picture; then the view's is taken
const QUALITY = 0.92;
const FLASH = 120; // milliseconds in which one sees that a picture was taken

const says = words.camera;

const nameNow = () => `${new Date().toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15)}.jpg`;

const within = (promise) => Promise.race([promise, new Promise((_, reject) => {
  setTimeout(() => reject(new Error('too slow')), SLOW);
})]);

/** The picture that the camera shows now, in full if it can. */
async function shot(video, stream) {
  const [track] = stream.getVideoTracks();
  if (globalThis.ImageCapture && track?.readyState === 'live') {
    try {
      const blob = await within(new ImageCapture(track).takePhoto());
      if (blob.size > 0 && blob.type.startsWith('image/')) return blob;
    } catch { // some cameras have no pictures of their own: the view's is there
    }
  }
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: video.videoWidth, height: video.videoHeight });
  canvas.getContext('2d').drawImage(video, 0, 0);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/jpeg', QUALITY);
  });
}

// Properties: `take(file)` is called with each picture, `close()` when one is done.
element('album-camera', (host) => {
  const facing = signal('environment');
  const problem = signal('');
  const isReady = signal(false);
  const isFlashing = signal(false);
  const count = signal(0);
  const last = signal('');
  const hasOther = signal(false);
  const video = Object.assign(document.createElement('video'), { muted: true, playsInline: true, autoplay: true });
  video.setAttribute('playsinline', '');
  let stream = null;
  let round = 0;
  const stop = () => {
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = null;
    isReady.set(false);
  };
  const start = async () => {
    round += 1;
    const mine = round;
    stop();
    problem.set('');
    try {
      const found = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: { ideal: facing.peek() }, ...SIZE }, audio: false,
      });
      if (mine !== round) return found.getTracks().forEach((track) => track.stop());
      stream = found;
      video.srcObject = found;
      await video.play().catch(() => {});
      isReady.set(true);
      const all = await navigator.mediaDevices.enumerateDevices();
      hasOther.set(all.filter(({ kind }) => kind === 'videoinput').length > 1);
    } catch (error) {
      if (mine === round) problem.set(error.name === 'NotAllowedError' ? says.refused : says.missing);
    }
    return undefined;
  };
  let order = Promise.resolve();
  const press = () => {
    if (!isReady.peek()) return;
    isFlashing.set(true);
    setTimeout(() => isFlashing.set(false), FLASH);
    navigator.vibrate?.(15);
    const from = stream;
    count.set(count.peek() + 1);
    order = order.then(async () => {
      const blob = await shot(video, from);
      URL.revokeObjectURL(last.peek());
      last.set(URL.createObjectURL(blob));
      host.take(new File([blob], nameNow(), { type: blob.type }));
    }).catch((error) => {
      console.error(error);
      count.set(count.peek() - 1);
    });
  };
  const turn = () => {
    facing.set(facing.peek() === 'environment' ? 'user' : 'environment');
    start();
  };
  const hidden = () => { // a phone takes the camera from a hidden page
    if (document.hidden) stop();
    else start();
  };
  document.addEventListener('visibilitychange', hidden);
  stayAwake('camera', true);
  start();
  ending(() => {
    document.removeEventListener('visibilitychange', hidden);
    round += 1;
    stop();
    stayAwake('camera', false);
    URL.revokeObjectURL(last.peek());
  });
  const dialog = html`<dialog class="camera" aria-label=${says.title} @close=${() => host.close()}>
    <div class="camera-view" data-flash=${isFlashing} data-facing=${facing}>${video}
      ${() => (problem() ? html`<p class="note" role="alert">${problem()}</p>` : isReady() ? '' : html`<p
        class="camera-word">${says.starting}</p>`)}</div>
    <div class="camera-bar"><button class="camera-done" type="button" @click=${() => dialog.close()}>
        ${() => (last() ? html`<img src=${last()} alt="">` : '')}<span>${says.done}</span></button>
      <button class="shutter" type="button" aria-label=${says.shutter} disabled=${() => !isReady()}
        @click=${press}></button>
      ${() => (hasOther() ? html`<button class="camera-turn" type="button" aria-label=${says.turn} @click=${turn}>${
    drawing(icons.turn)}</button>` : html`<span></span>`)}</div>
    <p class="camera-count" role="status">${() => says.taken(count())}</p></dialog>`.firstElementChild;
  effect(() => { if (!dialog.open) queueMicrotask(() => { if (dialog.isConnected) dialog.showModal(); }); });
  return dialog;
});
