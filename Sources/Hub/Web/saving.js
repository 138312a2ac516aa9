// Saves a file to the device: by its share sheet on a phone, where an app on the home screen has no downloads.

import { choose } from '/words.js';

const { language } = choose(['en', 'de']);
const [READY, SAVE, LATER] = language === 'de' ? ['Die Datei ist da.', 'Jetzt speichern', 'Doch nicht']
  : ['The file is here.', 'Save it now', 'Not now'];

/** Asks for one more tap. Resolved within it, with true; with false for somebody who has changed their mind. */
function tapAgain() {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', READY);
  const [save, later] = [SAVE, LATER].map((textContent, index) => Object.assign(document.createElement('button'), {
    type: 'button', className: index ? 'button' : 'button primary', textContent,
  }));
  dialog.append(Object.assign(document.createElement('p'), { textContent: READY }), save, ' ', later);
  document.body.append(dialog);
  return new Promise((resolve) => {
    save.onclick = () => {
      resolve(true);
      dialog.close();
    };
    later.onclick = () => dialog.close();
    dialog.onclose = () => {
      dialog.remove();
      resolve(false);
    };
    dialog.showModal();
  });
}

/** Offers a file to be saved. To be called within a tap; if it took long to come, another one is asked for. */
export async function saveFile(file, {
  to = navigator, isTouch = matchMedia('(pointer: coarse)').matches, again = tapAgain,
} = {}) {
  if (isTouch && to.canShare?.({ files: [file] })) {
    const shared = () => to.share({ files: [file] }).then(() => 'done', ({ name }) => name);
    let outcome = await shared();
    if (outcome === 'NotAllowedError') outcome = await again() ? await shared() : 'AbortError';
    if (outcome === 'done' || outcome === 'AbortError') return; // the latter: one has changed one's mind
  }
  const address = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), { href: address, download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
