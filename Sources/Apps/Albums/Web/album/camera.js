// The camera in the page: one press, one picture, the next at once. Each goes into the queue while the camera stays
// open.

import { effect, element, ending, html, listening, signal } from '/ui.js';
import { stayAwake } from '/awake.js';
import { drawing, icons } from '/albums/icons.js';
import { canRecord, record } from '/albums/album/recording.js';
import { words } from '/albums/album/words.js';
import { inTime } from '/uploads/preview.js';

const SIZE = { width: { ideal: 4096 }, height: { ideal: 3072 } };
const SLOW = 2_500; // milliseconds for the camera's own full picture; then the view's is taken
const QUALITY = 0.92;
const FILM = {
  size: { width: { ideal: 1920 }, height: { ideal: 1080 } }, types: ['video/mp4', 'video/webm'], longest: 60,
  videoBitsPerSecond: 6_000_000,
};
const FLASH = 120; // milliseconds in which one sees that a picture was taken

const says = words.camera;

const NAMES = { photo: 'shutter', film: 'record', running: 'stop' };

const nameNow = () => new Date().toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);

/** The camera's stream; of a film with sound, if the microphone may be used. */
async function open(facing, isFilm) {
  const video = { facingMode: { ideal: facing }, ...(isFilm ? FILM.size : SIZE) };
  if (isFilm) {
    try {
      return await navigator.mediaDevices.getUserMedia({ video, audio: true });
    } catch { // no microphone, or it may not be used: a film without sound
    }
  }
  return navigator.mediaDevices.getUserMedia({ video, audio: false });
}

/** The view as it is now. */
function view(video) {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: video.videoWidth, height: video.videoHeight });
  canvas.getContext('2d').drawImage(video, 0, 0);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/jpeg', QUALITY);
  });
}

/** The picture that the camera shows now, in full if it can. */
async function shot(video, stream) {
  const [track] = stream.getVideoTracks();
  if (globalThis.ImageCapture && track?.readyState === 'live') {
    try {
      const blob = await inTime(new ImageCapture(track).takePhoto(), SLOW);
      if (blob.size > 0 && blob.type.startsWith('image/')) return blob;
    } catch { // some cameras have no pictures of their own: the view's is there
    }
  }
  return view(video);
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
  const isFilm = signal(false);
  const left = signal(null); // seconds of a film that is being recorded
  const isSilent = signal(false);
  let running = null;
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
      const found = await open(facing.peek(), isFilm.peek());
      if (mine !== round) return found.getTracks().forEach((track) => track.stop());
      isSilent.set(isFilm.peek() && found.getAudioTracks().length === 0);
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
  const showLast = (blob) => {
    URL.revokeObjectURL(last.peek());
    last.set(URL.createObjectURL(blob));
  };
  const film = async () => {
    if (running) return running.stop();
    try {
      running = record(stream, { ...FILM, name: nameNow() }, (seconds) => left.set(seconds));
      view(video).then(showLast).catch(() => {});
      const file = await running.file;
      if (file.size === 0) return undefined;
      count.set(count.peek() + 1);
      host.take(file);
    } catch (error) {
      console.error(error);
      problem.set(says.failed);
    } finally {
      running = null;
      left.set(null);
    }
    return undefined;
  };
  const press = () => {
    if (!isReady.peek()) return undefined;
    problem.set('');
    if (isFilm.peek()) return film();
    isFlashing.set(true);
    setTimeout(() => isFlashing.set(false), FLASH);
    navigator.vibrate?.(15);
    const from = stream;
    count.set(count.peek() + 1);
    order = order.then(async () => {
      const blob = await shot(video, from);
      showLast(blob);
      host.take(new File([blob], `${nameNow()}.jpg`, { type: blob.type }));
    }).catch((error) => {
      console.error(error);
      count.set(count.peek() - 1);
      problem.set(says.failed);
    });
    return undefined;
  };
  const choose = (wanted) => () => {
    if (isFilm.peek() === wanted || running) return;
    isFilm.set(wanted);
    start();
  };
  const turn = () => {
    facing.set(facing.peek() === 'environment' ? 'user' : 'environment');
    start();
  };
  const hidden = () => { // a phone takes the camera from a hidden page
    running?.stop(); // what there is of a film stays
    if (document.hidden) stop();
    else start();
  };
  listening(document, ['visibilitychange'], hidden);
  stayAwake('camera', true);
  start();
  ending(() => {
    round += 1;
    running?.stop();
    stop();
    stayAwake('camera', false);
    URL.revokeObjectURL(last.peek());
  });
  const mode = (wanted, text) => html`<button type="button" aria-pressed=${() => String(isFilm() === wanted)}
    @click=${choose(wanted)}>${text}</button>`;
  const shutter = () => (!isFilm() ? 'photo' : left() === null ? 'film' : 'running');
  // The seconds of a film are not read aloud: its microphone would hear them.
  const told = () => {
    if (left() !== null) return says.left(left());
    return isSilent() ? says.silent : says.taken(count());
  };
  const dialog = html`<dialog class="camera" aria-label=${says.title} @close=${() => host.close()}>
    <div class="camera-view" data-flash=${isFlashing} data-facing=${facing}>${video}
      ${() => (problem() ? html`<p class="note" role="alert">${problem()}</p>` : isReady() ? '' : html`<p
        class="camera-word">${says.starting}</p>`)}</div>
    ${canRecord() ? html`<div class="camera-modes" role="group" aria-label=${says.modes}>${mode(false, says.photo)}${
    mode(true, says.film)}</div>` : ''}
    <div class="camera-bar"><button class="camera-done" type="button" @click=${() => dialog.close()}>
        ${() => (last() ? html`<img src=${last()} alt="">` : '')}<span>${says.done}</span></button>
      <button class="shutter" type="button" data-mode=${shutter} aria-label=${() => says[NAMES[shutter()]]}
        disabled=${() => !isReady()} @click=${press}></button>
      ${() => (hasOther() ? html`<button class="camera-turn" type="button" aria-label=${says.turn} @click=${turn}>${
    drawing(icons.turn)}</button>` : html`<span></span>`)}</div>
    <p class="camera-count" role="status" aria-live=${() => (left() === null ? null : 'off')} data-runs=${() =>
  left() !== null || null}>${told}</p>
    </dialog>`.firstElementChild;
  effect(() => { if (!dialog.open) queueMicrotask(() => { if (dialog.isConnected) dialog.showModal(); }); });
  return dialog;
});
