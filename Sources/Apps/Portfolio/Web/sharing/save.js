// A picture leaves for the phone's own photos, or for the folder of downloads.

import { HubError } from '/keep.js';
import { saveFile } from '/saving.js';

/** The name of a picture's file: its title, without what file systems do not take. */
export function fileName({ title, id, kind }) {
  const name = (title || id).replaceAll(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim().slice(0, 80) || id;
  return name + (kind === 'video' ? '.mp4' : '.jpg');
}

/** Saves the best file that there is; `how` is for `saveFile`. */
export async function save(picture, { get = fetch, ...how } = {}) {
  const { url } = picture.sizes?.video ?? picture.sizes?.['2048'] ?? picture.sizes?.['320'] ?? {};
  const answer = await get(url);
  if (!answer.ok) throw new HubError(answer.status, await answer.json().catch(() => undefined));
  const blob = await answer.blob();
  await saveFile(new File([blob], fileName(picture), { type: blob.type }), how);
}
