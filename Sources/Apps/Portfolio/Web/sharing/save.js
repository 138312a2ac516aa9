// A picture leaves for the phone's own photos, or for the folder of downloads.

import { explain } from '/explain.js';

/** The name of a picture's file: its title, without what file systems do not take. */
export function fileName({ title, id, kind }) {
  const name = (title || id).replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim().slice(0, 80) || id;
  return name + (kind === 'video' ? '.mp4' : '.jpg');
}

/** Saves the best file that there is: by the platform's sheet where it takes files, else as a download. */
export async function save(picture, { to = navigator, get = fetch } = {}) {
  const { url } = picture.sizes?.video ?? picture.sizes?.['2048'] ?? picture.sizes?.['320'] ?? {};
  const answer = await get(url);
  if (!answer.ok) throw new Error(await explain({ status: answer.status }));
  const blob = await answer.blob();
  const file = new File([blob], fileName(picture), { type: blob.type });
  if (to.canShare?.({ files: [file] })) {
    try {
      return await to.share({ files: [file] });
    } catch (error) {
      if (error.name === 'AbortError') return undefined; // the reader has changed their mind
    }
  }
  return download(file, file.name);
}

/** Puts bytes into the folder of downloads. */
export function download(blob, name) {
  const link = Object.assign(document.createElement('a'), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
