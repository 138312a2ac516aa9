// The room's part of the service worker, which bin/pack-web puts behind the shell's: sends the pictures that wait on
// this device when no page does, and keeps those that a share sheet hands over.

import { ASKS, channelOf, DATABASE, HERE, sendWaiting, TAG } from '/albums/album/background.js';
import { ADDRESS, answerShare, SHARED } from '/albums/share/incoming.js';
import { Originals } from '/uploads/originals.js';

const ANSWER = 1_500; // milliseconds in which a page that is alive answers
const SILENT = 120_000; // for one request; what came of it by then is kept
const PAUSE = 5_000; // between two looks whether the page is still there
const TRIES = 36; // three minutes: browsers end a worker after about five, and wake it once more later

const pause = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Says something on an album's channel; resolved with true if a page answers. */
async function isAnswered(album) {
  const channel = new BroadcastChannel(channelOf(album));
  const heard = new Promise((resolve) => { channel.onmessage = ({ data }) => { if (data === HERE) resolve(true); }; });
  channel.postMessage(ASKS);
  const isSo = await Promise.race([heard, pause(ANSWER).then(() => false)]);
  channel.close();
  return isSo;
}

function tell(album) {
  const channel = new BroadcastChannel(channelOf(album));
  channel.postMessage(null);
  channel.close();
}

/** As the pages' own, without its progress. */
async function send({ method, url, headers, body }) {
  const answer = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(SILENT) });
  return {
    status: answer.status, header: (name) => answer.headers.get(name),
    json: () => answer.json().catch(() => undefined),
  };
}

async function sendAll() {
  const originals = new Originals(DATABASE);
  for (let number = 0; number < TRIES; number += 1) {
    const isAlone = async (album) => !(await isAnswered(album));
    if (await sendWaiting({ originals, send, isAlone, tell }) === 0) return;
    await pause(PAUSE);
  }
  throw new Error('pictures are left'); // the browser tries it again later
}

self.addEventListener('sync', (event) => {
  if (event.tag === TAG) event.waitUntil(sendAll());
});

self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== 'POST' || origin !== self.location.origin || pathname !== ADDRESS) return;
  event.respondWith(answerShare(event.request, new Originals(SHARED)));
});
