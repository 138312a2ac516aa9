// The apps as the hub knows them, and what their pages change. Nothing of it is kept on the device.

import { computed, effect, ending, signal } from '/ui.js';
import { isAway } from '/keep.js';
import { live } from '/live.js';
import { change, create, load, may, refreshSession, reusing } from '/session.js';

export const APPS = '/api/v1/apps';
const AGAIN = 10_000; // milliseconds between two looks at what changes by itself
const SOON = 1_000; // after something has happened in a channel

/** The id in the page's address; null for the list. */
export const here = /^\/apps\/(\d+)$/.exec(location.pathname)?.[1] ?? null;

/** All apps; undefined until they are known. */
export const apps = signal(undefined);
/** The app of this page, with its options; undefined until it is known. */
export const app = signal(undefined);
/** True if there is none of this id, or no more. */
export const isGone = signal(false);
/** The channel that was pressed or typed last: events are sent to it. */
export const chosen = signal('');
/** {channels, count} of it, and its use. */
export const channels = signal({ channels: [], count: 0 });
export const usage = signal(undefined);
/** True while the last question to the hub failed. */
export const isLost = signal(false);

const url = (rest = '') => `${APPS}/${here}${rest}`;

async function asking(question) {
  try {
    await question();
    isLost.set(false);
  } catch (error) {
    if (isAway(error)) isLost.set(true);
    else if (error.status === 404 && here) isGone.set(true);
  }
}

export const readApps = () => asking(async () => apps.set(reusing(apps.peek(), (await load(APPS)).apps)));
const readApp = () => asking(async () => app.set(await load(url())));
const readChannels = () => asking(async () => {
  const { channels: all, count } = await load(url('/channels'));
  channels.set({ channels: reusing(channels.peek().channels, all), count });
});
const readUsage = () => asking(async () => {
  const now = await load(url('/usage'));
  if (JSON.stringify(now) !== JSON.stringify(usage.peek())) usage.set(now);
});

export const make = (name) => create(APPS, { name });
export const rotate = (now) => change('POST', url('/rotate'), { now });
export const remove = () => change('DELETE', url());
export const save = async (changed) => app.set(await change('PATCH', url(), changed));
export const send = (event) => change('POST', url('/events'), event);

const look = () => change('POST', url('/console'));

/** Keeps the list, or the app, up to date; `onentries` gets what passes in it. */
export function follow({ onentries = () => {} } = {}) {
  const isOwner = computed(() => may('apps.manage'));
  let soon;
  const all = () => (here ? Promise.all([readApp(), readChannels(), readUsage()]) : readApps());
  const shortly = () => {
    soon ??= setTimeout(() => {
      soon = undefined;
      readChannels();
      readApp();
    }, SOON);
  };
  effect(() => {
    if (!isOwner()) return;
    all();
    const timer = setInterval(() => { if (!document.hidden) all(); }, AGAIN);
    ending(() => clearInterval(timer));
    ending(live.listen('private-apps', { onevent: all, onlive: all, onrefused: refreshSession }));
    if (!here) return;
    const watch = () => { if (!document.hidden) asking(look); };
    const looking = setInterval(watch, 2 * AGAIN);
    ending(() => clearInterval(looking));
    const onevent = (name, data) => {
      if (name !== 'console') return;
      onentries(data);
      shortly();
    };
    ending(live.listen(`private-apps-${here}`, { onevent, onlive: watch }));
  });
}
