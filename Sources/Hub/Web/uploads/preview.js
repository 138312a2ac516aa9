// A small picture of a file, made on this device and sent ahead of it. One at a time: several large pictures decoded at
// the same moment make a phone's browser give up the page.

import { fitted } from '/pictures/measures.js';
import { LIMITS } from '/uploads/tus.js';

const SLOW = 10_000; // milliseconds after which a picture goes without
// Longer edge in pixels, and JPEG's quality: the first that is small enough is taken.
const TRIES = [[640, 0.7], [640, 0.5], [480, 0.5], [320, 0.5], [240, 0.4]];
const MOMENT = 0.5; // seconds into a video

let last = Promise.resolve();

/** The result of a promise; fails if it takes longer than so many milliseconds. */
export const inTime = (promise, longest) => Promise.race([promise, new Promise((_, reject) => {
  setTimeout(() => reject(new Error('took too long')), longest);
})]);

async function smaller(source, width, height) {
  const canvas = document.createElement('canvas');
  for (const [edge, quality] of TRIES) {
    Object.assign(canvas, fitted(edge, { width, height }));
    const context = canvas.getContext('2d');
    context.fillStyle = 'white'; // beneath what is transparent, as the hub's own sizes have it
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(source, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => { canvas.toBlob(resolve, 'image/jpeg', quality); });
    if (blob?.type === 'image/jpeg' && blob.size <= LIMITS.preview) return blob;
  }
  return null;
}

async function ofPicture(file) {
  const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
  try {
    return await smaller(bitmap, bitmap.width, bitmap.height);
  } finally {
    bitmap.close();
  }
}

async function ofVideo(file) {
  const video = document.createElement('video');
  Object.assign(video, { muted: true, playsInline: true, preload: 'auto', src: URL.createObjectURL(file) });
  try {
    await new Promise((resolve, reject) => {
      video.onloadeddata = () => { video.currentTime = Math.min(MOMENT, (video.duration || 0) / 2); };
      video.onseeked = resolve;
      video.onerror = () => reject(video.error);
    });
    return await smaller(video, video.videoWidth, video.videoHeight);
  } finally {
    URL.revokeObjectURL(video.src);
    video.removeAttribute('src');
    video.load();
  }
}

/** A JPEG as a Blob, or null if this browser cannot show the file, as some cannot show HEIC. */
export function previewOf(file) {
  const mine = last.then(() => inTime(file.type.startsWith('video/') ? ofVideo(file) : ofPicture(file), SLOW))
    .catch(() => null);
  last = mine;
  return mine;
}
