// Taking and choosing pictures: the camera in the page where browsers allow it, otherwise the phone's own, one picture
// at a time; and the phone's library. On a computer files can also be dropped or pasted.

import { ending, html, listening, signal } from '/ui.js';
import { isoHere } from '/words.js';
import { isTaken } from '/albums/kinds.js';
import { words } from '/albums/album/words.js';
import { namesOf } from '/uploads/kinds.js';

const SLOW = 1_500; // milliseconds after which a phone is said to be getting the chosen pictures ready
const LONGEST = 45_000; // and after which that is not believed any more: an old browser does not tell of no choice

/** True if a page may have a camera here: not over plain HTTP. */
const hasCamera = () => Boolean(globalThis.isSecureContext && navigator.mediaDevices?.getUserMedia);

const chooser = (fields, act) => {
  const input = Object.assign(document.createElement('input'), { type: 'file', hidden: true, tabIndex: -1, ...fields });
  input.setAttribute('aria-hidden', 'true');
  input.addEventListener('change', () => {
    const files = [...input.files];
    input.value = ''; // the same picture can be chosen again
    act(files);
  });
  input.addEventListener('cancel', () => act([]));
  return input;
};

/** {take, choose, note, hidden}: what the buttons do, and what goes into the page for them. `queue` is a promise. */
export function adding(queue) {
  const problem = signal('');
  const camera = signal(null);
  const isPreparing = signal(false);
  let timer;
  const add = async (files, fields) => {
    clearTimeout(timer);
    isPreparing.set(false);
    if (!files.length) return;
    const wanted = files.filter(isTaken);
    const others = files.filter((one) => !isTaken(one));
    const leftOut = others.length ? words.queue.leftOut(namesOf(others), others.length) : '';
    problem.set(leftOut);
    if (!wanted.length) return;
    navigator.storage?.persist?.().catch(() => {}); // so that the browser does not clear what waits
    try {
      const left = await (await queue).add(wanted, fields);
      if (left > 0) problem.set([leftOut, words.queue.tooMany(left)].filter(Boolean).join(' '));
    } catch (error) {
      console.error(error);
      problem.set(words.queue.notTaken);
    }
  };
  const library = chooser({ multiple: true, accept: 'image/*,video/*' }, (files) => add(files));
  const single = chooser({ accept: 'image/*' }, (files) => add(files));
  single.setAttribute('capture', 'environment');
  // An iPhone converts what was chosen, and tells it only afterwards: up to half a minute for fifty pictures.
  const returned = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isPreparing.set(isOpen);
      timer = setTimeout(() => isPreparing.set(false), LONGEST);
    }, SLOW);
  };
  let isOpen = false;
  const open = (input) => {
    isOpen = true;
    input.addEventListener('change', () => { isOpen = false; }, { once: true });
    input.addEventListener('cancel', () => { isOpen = false; }, { once: true });
    input.click();
  };
  listening(window, ['focus'], returned);
  const dropped = (event) => {
    const files = [...(event.dataTransfer ?? event.clipboardData)?.files ?? []];
    if (!files.length) return;
    event.preventDefault();
    add(files);
  };
  listening(window, ['dragover'], (event) => event.preventDefault());
  listening(window, ['drop', 'paste'], dropped);
  ending(() => clearTimeout(timer));
  const take = async () => {
    if (!hasCamera()) return open(single);
    try {
      await import('/albums/album/camera.js');
      // A picture from a canvas does not say when it was taken.
      camera.set({ take: (file) => add([file], { taken: isoHere(new Date()) }), close: () => camera.set(null) });
    } catch { // the part of the page could not be loaded: the phone's own camera is there
      open(single);
    }
    return undefined;
  };
  return {
    take,
    choose: () => open(library),
    note: () => html`${() => (problem() ? html`<p class="note" role="status">${problem()}</p>` : '')}${() => (
      isPreparing() ? html`<p class="note" data-kind="info" role="status">${words.queue.preparing}</p>` : '')}`,
    hidden: html`${library}${single}${() => (camera() ? html`<album-camera .take=${() => camera.peek().take}
      .close=${() => camera.peek().close}></album-camera>` : '')}`,
  };
}
