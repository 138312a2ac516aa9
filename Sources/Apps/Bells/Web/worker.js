// The room's part of the service worker, which bin/pack-web puts behind the shell's: shows what a push service brings,
// takes it from the screen again, and tells the hub what became of it. The receipt in a message proves to the hub which
// device that is: no cookie is needed, and none is sent.
//
// Each push must show something. Browsers that find nothing shown say something themselves, and Apple's end the
// subscription after three times.
//
// The rules decide what is shown how (shown.js). They are loaded with the first push; what they do not come in time for
// is shown plainly. The names ROOMS, kept, stock and front are the shell's, in sw.js.

import { notificationRulesFrom } from '/notification-rules.js';
import { extensions } from '/extensions.js';
import { chosen, REST, run } from '/bells/extend.js';
import { keptKey } from '/bells/private-keys.js';
import { fromBase64url, open, openFile, toBase64 } from '/bells/sealed.js';
import { inLanguage, PATIENCE, shownBy } from '/bells/shown.js';

const RULES = '/notifications.wasm';
const BELLS = '/api/v1/bells';
const RECEIPT_TRIES = [0, 2_000, 8_000]; // milliseconds before each; a worker lives for about half a minute
const ASK_LIMIT = 10_000;
const CHECK_LIMIT = 1_500; // a bell waits no longer for the answer whether it is still wanted
const PICTURE_LIMIT = 5_000; // a picture that has to be fetched or opened first
const ALARM_LIMIT = 1_500; // the same of an alarm, which rings without it then
const PICTURE_BYTES = 2_000_000; // it is handed over as text
const KEPT_BELLS = 'eightbells-bells'; // what a stranger's browser needs to renew its subscription
const STRANGER = '/bells/stranger';

const bellWords = {
  en: {
    over: (title) => `Done: ${title}`, noTitle: 'Bells', lost: 'Your answer has not arrived',
    again: 'Touch here to give it on the page.', updated: 'Something has changed',
    late: 'It was over already', others: 'Somebody has answered already',
  },
  de: {
    over: (title) => `Erledigt: ${title}`, noTitle: 'Glocken', lost: 'Deine Antwort ist nicht angekommen',
    again: 'Tippe hier, um sie auf der Seite zu geben.', updated: 'Es hat sich etwas geändert',
    late: 'Das war schon vorbei', others: 'Jemand hat schon geantwortet',
  },
};
const bellLanguage = (self.navigator?.languages ?? []).map((tag) => tag.toLowerCase().split('-')[0])
  .find((tag) => bellWords[tag]) ?? 'en';
const bellSays = bellWords[bellLanguage];

/** Only Apple's browsers count pushes without anything new on the screen. */
const mustShow = /AppleWebKit\//.test(self.navigator?.userAgent ?? '')
  && !/Chrom(e|ium)\//.test(self.navigator?.userAgent ?? '');

/**
 * The tag of a notification on the screen, by which a newer one replaces it: its own versions, or all with one
 * collapse_id.
 */
const tagOf = ({ id, collapse_id: collapse }) => (collapse === undefined ? `bell ${id}` : `collapse ${collapse}`);

/** Its place among those with its collapse_id, in the order in which the hub sent them. */
const placeOf = ({ id, sequence }) => sequence ?? Number(id);

/** What is on the screen with its collapse_id, beside itself. */
const alike = async (message) => (await self.registration.getNotifications())
  .map(({ tag, data }) => tag === tagOf(message) && data?.id !== message.id && data).filter(Boolean);

/** True if a newer one with its collapse_id is on the screen already: the push service was late with this one. */
const isReplaced = async (message) => (await alike(message)).some((one) => placeOf(one) > placeOf(message));

async function shownOf({ id }) {
  return (await self.registration.getNotifications()).filter(({ data }) => data?.id === id);
}

const after = (ms) => new Promise((resolve) => { setTimeout(resolve, ms, null); });

const post = (path, body, signal) => fetch(BELLS + path, {
  method: 'POST', credentials: 'omit', headers: { 'Content-Type': 'application/json' }, signal,
  body: JSON.stringify(body),
});

/**
 * Sends a receipt, with a few tries. Returns the hub's answer, or `over` for an answer that came too late; null if it
 * could not be told.
 */
async function tellReceipt(body, tries = RECEIPT_TRIES, limit = ASK_LIMIT) {
  for (const pause of tries) {
    if (pause) await after(pause);
    try {
      const answer = await post('/receipts', body, AbortSignal.timeout(limit));
      if (answer.ok) return await answer.json().catch(() => ({}));
      if (answer.status === 409) return { over: true };
      if (answer.status < 500 && answer.status !== 429) return null; // it would be refused again
    } catch { // no network
    }
  }
  return null;
}

let coming;

/** The rules, of this version of the pages if they are kept. */
function bellRules() {
  coming ??= (async () => {
    const file = await kept(RULES, ROOMS.bells) ?? await fetch(RULES, { signal: AbortSignal.timeout(ASK_LIMIT) });
    return notificationRulesFrom(await file.arrayBuffer()); // any other answer is no module, and fails
  })();
  coming.catch((error) => {
    console.error(error);
    coming = undefined; // the network may be back by the next time
  });
  return coming;
}

/** The same; null if they do not come in time. Those who wait get them, or give up, in the order in which they came. */
const rulesInTime = () => Promise.race([bellRules().catch(() => null), after(PATIENCE)]);

/** A content with its private part; as it came, with its fallback, if that cannot be opened, or not in time. */
const openedInTime = async (content) => await Promise.race([open(content, keptKey), after(PATIENCE)]) ?? content;

/** The number of buttons that a notification has room for; none in Apple's browsers. */
const buttonRoom = () => (
  self.Notification && 'actions' in self.Notification.prototype ? self.Notification.maxActions ?? 2 : 0);

/** Keeps the page that a tap leads to, and with it the rules. */
const keepBells = () => stock(ROOMS.bells).catch(() => {}); // without a network the next push tries it again

/** Has the hub fetch a file whose address stands in a notification: {url, type}, its address there. */
const attachTo = ({ id, receipt }) => async ({ url, type }, signal) => {
  const answer = await post(`/${id}/media`, { url, type, receipt }, signal);
  if (!answer.ok) throw new Error(`${url}: the hub answers ${answer.status}`);
  return answer.json();
};

/**
 * The address of a content's picture. What is on a server of others is fetched by the hub, so that this server does not
 * learn who looks, unless a private message names it, which comes from somebody with the key. Its own file is opened.
 */
async function pictureOf({ attachments, sealed, interruption_level: level }, message) {
  try {
    const image = sealed ? null : attachments?.find(({ type, url }) => url && type?.startsWith('image/'));
    if (!image || !('image' in self.Notification.prototype)) return null; // Safari and Firefox show none
    const { url, key } = image;
    const isHere = new URL(url, self.location.origin).origin === self.location.origin;
    if (!key && (isHere || message.content.sealed)) return url;
    if (key && !(image.size <= PICTURE_BYTES)) return null;
    const signal = AbortSignal.timeout(level === 'critical' ? ALARM_LIMIT : PICTURE_LIMIT);
    if (!key) return (await attachTo(message)(image, signal)).url;
    const answer = await fetch(url, { credentials: 'omit', signal });
    const file = await openFile(new Uint8Array(await answer.arrayBuffer()), image);
    return file && `data:${image.type};base64,${toBase64(file)}`;
  } catch { // no network, too slow, refused, or no address
    return null;
  }
}

/**
 * The steps between a push and its display, each of which may change the content: {content, note}, the content that is
 * shown, and what the trace is to have beside "shown". A step that fails leaves the content as it is.
 */
async function beforeDisplay(message, rules, opening) {
  const content = await opening;
  const noted = (note) => (note ? { note } : {});
  const notOpened = content.sealed && 'not_opened';
  // A private message stays private: the hub is not asked to fetch what stands in it.
  const isPrivate = Boolean(message.content.sealed) && !content.sealed;
  const known = isPrivate ? extensions.filter(({ categories }) => !categories.includes(REST)) : extensions;
  const one = rules && chosen(known, content);
  if (!one) return { content, ...noted(notOpened) };
  const attach = isPrivate ? async () => { throw new Error('A private message is not shown to the hub.'); }
    : attachTo(message);
  const { content: changed, fault } = await run(one.extend, content, {
    accepts: (answer) => rules.content(answer), tools: { attach },
  });
  return { content: changed, ...noted(fault ? `extension_failed:${fault}` : changed.sealed && notOpened) };
}

/**
 * The newest versions that have come since the worker began, by id, and those that were taken back or pressed: what is
 * being prepared must not come after that.
 */
const arrived = new Map();
const takenBack = new Map();
const REMEMBERED = 100;

function noteVersion(versions, id, version) {
  if (versions.size >= REMEMBERED) versions.delete(versions.keys().next().value);
  versions.set(id, Math.max(version, versions.get(id) ?? 0));
}

/** Takes note that it is over, with the update that is just being prepared. */
const remember = ({ id, version }) => noteVersion(takenBack, id, Math.max(version, arrived.get(id) ?? 0));

async function showBell(message, rules) {
  const { id, version, receipt, content: whole, picture } = message;
  const before = await shownOf(message);
  const newest = Math.max(0, ...before.map(({ data }) => data.version));
  if (newest >= version) return; // the push service sent it twice, or an older one later
  const { content, actions, buttons, rings, stays, vibration } = shownBy(rules, whole, {
    language: bellLanguage, room: buttonRoom(),
    state: { shown: newest > 0 && !message.again }, // one that rings until somebody acts rings again
  });
  // Another copy of one that goes may be on its way to the screen, and this one may be pressed before.
  for (const one of await alike(message)) remember(one);
  const body = [content.title && content.subtitle, content.body].filter(Boolean).join('\n');
  // What needs text or a finger is pressed here, and given on the page. Which those are is noted: once it is pressed,
  // there is no time for the rules.
  const idsOf = (name) => actions.filter(({ meaning }) => meaning[name]).map((one) => one.id);
  await self.registration.showNotification(content.title || content.subtitle || bellSays.noTitle, {
    body, tag: tagOf(message), renotify: rings, silent: !rings, requireInteraction: stays,
    actions: buttons.map((one) => ({ action: one.id, title: one.title })),
    icon: '/icon-192.png', badge: '/badge.png', lang: bellLanguage,
    timestamp: Math.min((message.at ?? Infinity) * 1000, Date.now()), // a phone that was off gets it hours later
    ...(picture ? { image: picture } : {}),
    ...(vibration ? { vibrate: content.vibration } : {}),
    data: {
      id, version, receipt, sequence: message.sequence, opens: idsOf('opens_app'), asks: idsOf('asks_first'),
      url: content.url && buttons.length === actions.length ? content.url : `/bells#${id}`,
    },
  });
}

/**
 * Takes one from the screen. Where each push must show something, or there is nothing to take away, something quiet
 * stands in its place: for ever with Apple, elsewhere for a moment.
 */
async function withdrawBell(message) {
  const all = await self.registration.getNotifications();
  // An older one that it was to replace goes with it; a newer one that has replaced it stays.
  const shown = all.find(({ data }) => data?.id === message.id)
    ?? all.find(({ tag, data }) => data && tag === tagOf(message) && placeOf(data) < placeOf(message));
  if (shown) remember(shown.data); // another copy of it may be on its way
  if (shown && !mustShow) {
    shown.close();
    return;
  }
  const title = shown?.data.over ?? shown?.title ?? message.content?.title;
  await self.registration.showNotification(title ? bellSays.over(title) : bellSays.updated, {
    // A newer one with its collapse_id that comes takes this one's place, and one that is there keeps its own.
    tag: shown?.tag ?? (await isReplaced(message) ? `bell ${message.id}` : tagOf(message)),
    silent: true, icon: '/icon-192.png', lang: bellLanguage,
    data: {
      id: message.id, version: message.version, sequence: message.sequence, url: `/bells#${message.id}`,
      over: title ?? '',
    },
  });
  if (!mustShow) for (const one of await shownOf(message)) one.close();
}

/** The number on the icon: the sender's, or how many the person has missed. Only an installed page has an icon. */
async function setBadge(count) {
  if (!Number.isInteger(count)) return;
  const told = count ? self.navigator.setAppBadge?.(count) : self.navigator.clearAppBadge?.();
  await told?.catch(() => {});
}

async function pushed(data) {
  let message;
  try {
    message = data.json();
  } catch { // not the hub's
    return;
  }
  const { id, version, receipt } = message;
  noteVersion(arrived, id, version);
  const told = (what, ...how) => tellReceipt({ id, version, receipt, what }, ...how);
  const opening = openedInTime(message.content);
  const takeBack = async () => {
    remember(message); // another copy of it may be on its way to the screen
    await withdrawBell(message);
    await told('withdrawn');
  };
  // It may have been answered elsewhere on its way here; the order to remove it may have come before it. The rules are
  // waited for also by what is taken back, which must not overtake what it takes back.
  const [rules, check] = await Promise.all([
    rulesInTime(), message.withdraw ? null : told('delivered', [0], CHECK_LIMIT)]);
  if (message.withdraw) {
    remember(message);
    await setBadge(message.unread);
  }
  if (message.withdraw || check?.over) return takeBack();
  const { content, note } = await beforeDisplay(message, rules, opening);
  const picture = rules && await pictureOf(inLanguage(content, bellLanguage), message);
  if (takenBack.get(id) >= version || await isReplaced(message)) return takeBack();
  try {
    await showBell({ ...message, content, picture }, rules);
  } catch { // not allowed any more
    await told('failed');
    return;
  }
  await setBadge(content.badge ?? message.unread);
  const answer = await tellReceipt({ id, version, receipt, what: 'shown', ...(note ? { note } : {}) });
  // It was answered while it was being shown, or before that and nobody could be asked.
  if (answer?.over && (await shownOf(message)).length) await takeBack();
}

async function openPage(url) {
  const { href } = new URL(url, self.location.origin);
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const first = await front().catch(() => undefined);
  const placeOf = (address) => {
    const { pathname, search, hash } = new URL(address);
    return [pathname === '/' && first ? first.page : pathname, search + hash]; // the front room has two addresses
  };
  const [page, place] = placeOf(href);
  const one = href.startsWith(self.location.origin) && open.find((window) => placeOf(window.url)[0] === page);
  if (!one) return self.clients.openWindow(href);
  await one.focus();
  return placeOf(one.url)[1] === place ? one : one.navigate(href).catch(() => self.clients.openWindow(href));
}

async function clicked({ notification, action }) {
  const { id, version, receipt, url, opens = [], asks = [] } = notification.data ?? {};
  notification.close();
  if (!id) return;
  remember({ id, version }); // the push service may have sent it twice, and the other one is not on the screen yet
  if (action && asks.includes(action)) { // the page asks for the text or the finger, and gives the answer
    await openPage(`/bells#${id}`);
    return;
  }
  const given = tellReceipt({ id, version, receipt, what: 'acted', action: action || 'default' });
  if (!action || opens.includes(action)) { // at once, while the browser lets a press open a page
    await Promise.allSettled([openPage(url ?? `/bells#${id}`), given]);
    return;
  }
  const taken = await given;
  const counts = taken?.action ?? action;
  const isOthers = counts !== action && counts !== 'default'; // for strangers each button is a tap
  const title = !taken ? bellSays.lost : taken.over ? bellSays.late : isOthers && bellSays.others;
  if (!title) return;
  await self.registration.showNotification(title, {
    body: taken ? notification.title : `${notification.title}: ${bellSays.again}`, silent: Boolean(taken),
    tag: `lost ${id}`, icon: '/icon-192.png', lang: bellLanguage, data: { url: `/bells#${id}` },
  });
}

/** The push service has given up the subscription: a new one takes its place. */
async function renew({ newSubscription }) {
  const answer = await fetch(`${BELLS}/webpush`, { signal: AbortSignal.timeout(ASK_LIMIT) });
  if (!answer.ok) return;
  const { key } = await answer.json();
  const subscription = newSubscription ?? await self.registration.pushManager.subscribe({
    userVisibleOnly: true, applicationServerKey: fromBase64url(key),
  });
  const { endpoint, keys } = subscription.toJSON();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const tell = async (more) => {
    const told = await fetch(`${BELLS}/webpush`, {
      method: 'PUT', headers: { 'Content-Type': 'application/json' }, signal: AbortSignal.timeout(ASK_LIMIT),
      body: JSON.stringify({ subscription: { endpoint, keys }, zone, ...more }),
    });
    return told.ok ? told.json().catch(() => ({})) : {};
  };
  const cache = await caches.open(KEPT_BELLS);
  const stranger = await (await cache.match(STRANGER))?.json();
  const { device, secret } = await tell({ secret: stranger?.secret ?? null });
  // Nobody is signed in. The hub may have forgotten the stranger with the old subscription, and their topics.
  if (!stranger || !secret) return;
  await cache.put(STRANGER, new Response(JSON.stringify({ ...stranger, device, secret })));
  await tell({ secret, topics: stranger.topics });
}

self.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(Promise.all([pushed(event.data), keepBells()]));
});
self.addEventListener('message', (event) => { if (event.data === 'rings here') event.waitUntil(keepBells()); });
self.addEventListener('notificationclick', (event) => {
  const { id, url } = event.notification.data ?? {};
  if (!id && url) { // the page takes an answer that was lost, and tells whose counts
    event.notification.close();
    event.waitUntil(openPage(url));
    return;
  }
  event.waitUntil(clicked(event));
});
self.addEventListener('notificationclose', (event) => {
  const { id, version, receipt } = event.notification.data ?? {};
  if (receipt) remember({ id, version });
  if (receipt) event.waitUntil(tellReceipt({ id, version, receipt, what: 'dismissed' }));
});
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)));
