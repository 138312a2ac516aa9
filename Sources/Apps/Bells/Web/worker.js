// The room's part of the service worker, which bin/pack-web puts behind the shell's: shows what a push service brings,
// takes it from the screen again, and tells the hub what became of it. The receipt in a message proves to the hub which
// device that is: no cookie is needed, and none is sent.
//
// Each push must show something. Browsers that find nothing shown say something themselves, and Apple's end the
// subscription after three times.

const BELLS = '/api/v1/bells';
const RECEIPT_TRIES = [0, 2_000, 8_000]; // milliseconds before each; a worker lives for about half a minute
const ASK_LIMIT = 10_000;
const KEPT_BELLS = 'eightbells-bells'; // what a stranger's browser needs to renew its subscription
const STRANGER = '/bells/stranger';

const bellWords = {
  en: {
    over: (title) => `Done: ${title}`, noTitle: 'Bells', lost: 'Your answer has not arrived',
    again: 'Touch here to give it on the page.', updated: 'Something has changed',
  },
  de: {
    over: (title) => `Erledigt: ${title}`, noTitle: 'Glocken', lost: 'Deine Antwort ist nicht angekommen',
    again: 'Tippe hier, um sie auf der Seite zu geben.', updated: 'Es hat sich etwas geändert',
  },
};
const bellLanguage = (self.navigator?.languages ?? []).map((tag) => tag.toLowerCase().split('-')[0])
  .find((tag) => bellWords[tag]) ?? 'en';
const bellSays = bellWords[bellLanguage];

/** Only Apple's browsers count pushes without anything new on the screen. */
const mustShow = /AppleWebKit\//.test(self.navigator?.userAgent ?? '')
  && !/Chrom(e|ium)\//.test(self.navigator?.userAgent ?? '');

/** What is on the screen with the same name gives way to it: one notification, or all with one collapse_id. */
const tagOf = ({ id, collapse_id: collapse }) => (collapse === undefined ? `bell ${id}` : `collapse ${collapse}`);

async function shownOf({ id }) {
  return (await self.registration.getNotifications()).filter(({ data }) => data?.id === id);
}

/** Sends a receipt, with a few tries. Returns the hub's answer; null if it could not be told. */
async function tellReceipt(body, tries = RECEIPT_TRIES) {
  for (const pause of tries) {
    if (pause) await new Promise((resolve) => { setTimeout(resolve, pause); });
    try {
      const answer = await fetch(`${BELLS}/receipts`, {
        method: 'POST', credentials: 'omit', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body), signal: AbortSignal.timeout(ASK_LIMIT),
      });
      if (answer.ok) return await answer.json().catch(() => ({}));
      if (answer.status < 500 && answer.status !== 429) return null; // it would be refused again
    } catch { // no network
    }
  }
  return null;
}

/** An address of ours that a tap leads to: what the sender wished, or the notification in its list. */
function placeOf(id, url, isCrowded) {
  const list = `/bells#${id}`;
  if (!url || isCrowded) return list;
  try {
    const address = new URL(url, self.location.origin);
    return /^https?:$/.test(address.protocol) ? address.href : list;
  } catch {
    return list;
  }
}

/** The buttons that this platform has room for. What needs text or a finger is pressed here, and given on the page. */
function buttonsOf(actions) {
  const room = self.Notification?.maxActions ?? 2;
  return actions.slice(0, room).map(({ id, title }) => ({ action: id, title }));
}

async function showBell(message) {
  const { id, version, receipt, content: whole } = message;
  const content = { ...whole, ...whole.localized?.[bellLanguage] };
  const actions = content.actions ?? [];
  const level = content.interruption_level ?? 'active';
  const before = await shownOf(message);
  const newest = Math.max(0, ...before.map(({ data }) => data.version));
  if (newest >= version) return 'repeated'; // the push service sent it twice, or an older one later
  const isChange = newest > 0;
  const picture = content.attachments?.find(({ type, url }) => url && type?.startsWith('image/'))?.url;
  const body = [content.subtitle, content.body].filter(Boolean).join('\n');
  const buttons = buttonsOf(actions);
  await self.registration.showNotification(content.title ?? bellSays.noTitle, {
    body, tag: tagOf(message), renotify: !isChange && level !== 'passive', actions: buttons,
    silent: level === 'passive' || (isChange && level !== 'critical'),
    requireInteraction: level === 'critical' || level === 'time-sensitive',
    icon: '/icon-192.png', badge: '/icon-192.png', lang: bellLanguage, timestamp: Date.now(),
    ...(picture ? { image: picture } : {}),
    ...(content.vibration && level !== 'passive' ? { vibrate: content.vibration } : {}),
    data: {
      id, version, receipt, url: placeOf(id, message.url ?? content.url, actions.length > buttons.length),
      onPage: actions.filter(({ options = [], text_input: text }) => text
        || options.some((one) => one === 'foreground' || one === 'authentication_required')).map((one) => one.id),
      asks: actions.filter(({ options = [], text_input: text }) => text
        || options.includes('authentication_required')).map((one) => one.id),
    },
  });
  return 'shown';
}

/**
 * Takes one from the screen. Where each push must show something, or there is nothing to take away, something quiet
 * stands in its place: for ever with Apple, elsewhere for a moment.
 */
async function withdrawBell(message) {
  const [shown] = await shownOf(message);
  if (shown && !mustShow) {
    shown.close();
    return;
  }
  await self.registration.showNotification(shown ? bellSays.over(shown.title) : bellSays.updated, {
    tag: shown?.tag ?? tagOf(message), silent: true, icon: '/icon-192.png', lang: bellLanguage,
    data: { id: message.id, version: message.version, url: `/bells#${message.id}` },
  });
  if (!mustShow) for (const one of await shownOf(message)) one.close();
}

async function pushed(data) {
  let message;
  try {
    message = data.json();
  } catch { // not the hub's
    return;
  }
  const { id, version, receipt } = message;
  const told = (what) => tellReceipt({ id, version, receipt, what });
  if (message.withdraw) {
    await withdrawBell(message);
    await told('withdrawn');
    return;
  }
  try {
    await showBell(message);
    const { badge } = message.content;
    if (Number.isInteger(badge)) await (badge ? self.navigator.setAppBadge?.(badge) : self.navigator.clearAppBadge?.());
  } catch { // not allowed any more
    await told('failed');
    return;
  }
  const answer = await told('shown');
  // Answered elsewhere meanwhile: the order to remove it may have come first, and found nothing.
  if (answer?.action) for (const one of await shownOf(message)) one.close();
}

async function openPage(url) {
  const { href } = new URL(url, self.location.origin);
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const pathOf = (address) => new URL(address).pathname;
  const one = href.startsWith(self.location.origin) && open.find((page) => pathOf(page.url) === pathOf(href));
  if (!one) return self.clients.openWindow(href);
  await one.focus();
  return one.url === href ? one : one.navigate(href).catch(() => self.clients.openWindow(href));
}

async function clicked({ notification, action }) {
  const { id, version, receipt, url, onPage = [], asks = [] } = notification.data ?? {};
  notification.close();
  if (!id) return;
  if (action && asks.includes(action)) { // the page asks for the text or the finger, and gives the answer
    await openPage(`/bells#${id}`);
    return;
  }
  const given = tellReceipt({ id, version, receipt, what: 'acted', action: action || 'default' });
  if (!action || onPage.includes(action)) { // at once, while the browser lets a press open a page
    await Promise.all([openPage(url ?? `/bells#${id}`), given]);
    return;
  }
  if (await given === null) {
    await self.registration.showNotification(bellSays.lost, {
      body: `${notification.title}: ${bellSays.again}`, tag: `lost ${id}`, icon: '/icon-192.png', lang: bellLanguage,
      data: { url: `/bells#${id}` },
    });
  }
}

/** The push service has given up the subscription: a new one takes its place. */
async function renew({ newSubscription }) {
  const answer = await fetch(`${BELLS}/webpush`, { signal: AbortSignal.timeout(ASK_LIMIT) });
  if (!answer.ok) return;
  const { key } = await answer.json();
  const letters = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
  const subscription = newSubscription ?? await self.registration.pushManager.subscribe({
    userVisibleOnly: true, applicationServerKey: Uint8Array.from(letters, (letter) => letter.charCodeAt(0)),
  });
  const { endpoint, keys } = subscription.toJSON();
  const stranger = await (await caches.match(STRANGER, { cacheName: KEPT_BELLS }))?.json();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  await fetch(`${BELLS}/webpush`, {
    method: 'PUT', headers: { 'Content-Type': 'application/json' }, signal: AbortSignal.timeout(ASK_LIMIT),
    body: JSON.stringify({ subscription: { endpoint, keys }, zone, secret: stranger?.secret ?? null }),
  });
}

self.addEventListener('push', (event) => { if (event.data) event.waitUntil(pushed(event.data)); });
self.addEventListener('notificationclick', (event) => {
  const { id, url } = event.notification.data ?? {};
  if (!id && url) { // an answer that was lost is given on the page
    event.notification.close();
    event.waitUntil(openPage(url));
    return;
  }
  event.waitUntil(clicked(event));
});
self.addEventListener('notificationclose', (event) => {
  const { id, version, receipt } = event.notification.data ?? {};
  if (receipt) event.waitUntil(tellReceipt({ id, version, receipt, what: 'dismissed' }));
});
self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)));
