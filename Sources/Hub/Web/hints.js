// Hints about missing features of the device: HTTPS, told to owners, who alone can mend it, and adding the page to the
// home screen. A dismissed hint stays hidden on this device, except in <hub-hints always>, for the page on which people
// look for it.

import { computed, effect, element, html, signal } from '/ui.js';
import { keep, recall } from '/keep.js';
import { appearance } from '/appearance.js';
import { isDetail } from '/detail.js';
import { words } from '/hints-words.js';
import { installation } from '/platform.js';
import { isFrontRoom } from '/room-choice.js';
import { may } from '/session.js';

const offer = signal(null); // the browser's install prompt, kept until it is needed
const installed = signal(false);
const KEY = 'hints-put-away';

addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  offer.set(event);
});
addEventListener('appinstalled', () => installed.set(true));

const kind = computed(() => installation({
  location,
  userAgent: navigator.userAgent,
  maxTouchPoints: navigator.maxTouchPoints,
  isStandalone: installed() || matchMedia('(display-mode: standalone)').matches || navigator.standalone === true,
  canPrompt: Boolean(offer()),
}));

async function install() {
  const event = offer.peek();
  if (!event) return;
  await event.prompt();
  const { outcome } = await event.userChoice;
  offer.set(null);
  if (outcome === 'accepted') installed.set(true);
}

// Safari's share button.
const share = () => html`<svg class="share" viewBox="0 0 24 24" role="img" aria-label=${words.hints.share}>
  <path d="M12 15V3.5M8 7l4-3.5 4 3.5M8 10.5H6v10h12v-10h-2" /></svg>`;

const list = (items) => html`<ul class="hint-list">${items.map((item) => html`<li>${item}</li>`)}</ul>`;

const bodies = {
  insecure: () => html`<p>${words.hints.insecureText}</p>${list(words.hints.insecureList)}
    <h3>${words.hints.httpsTitle}</h3>${list(words.hints.https)}`,
  prompt: () => html`<p>${words.hints.promptText}</p>
    <p><button type="button" class="button primary" @click=${install}>${words.hints.install}</button></p>`,
  iphone: () => html`<ol class="hint-steps"><li>${words.hints.iphone[0]} ${share()}</li>
    <li>${words.hints.iphone[1]}</li><li>${words.hints.iphone[2]}</li></ol>
    <p class="quiet">${words.hints.iphoneWhy}</p>`,
  'iphone-other': () => html`<p>${words.hints.iphoneOther}</p>`,
};

element('hub-hints', (host) => {
  const always = host.hasAttribute('always');
  const away = signal(always ? [] : null); // null until known
  if (!always) recall(KEY).then((kept) => away.set(kept?.body ?? []));
  const isHere = () => (always || (isFrontRoom() && !isDetail())) && (kind() !== 'insecure' || may('hub.manage'));
  const shown = computed(() => (isHere() && away() && bodies[kind()] && !away().includes(kind()) ? kind() : null));
  const putAway = () => {
    away.set([...away.peek(), kind.peek()]);
    keep(KEY, away.peek());
  };
  effect(() => { host.hidden = shown() === null; });
  return html`${() => (shown() === null ? '' : html`<details class="hint-card" data-kind=${shown()} open=${always}>
    <summary>${() => (shown() ? words.hints.title[shown()](appearance().name) : '')}</summary>
    ${bodies[shown()]()}
    ${always ? '' : html`<p class="row end"><button type="button" class="button plain" @click=${putAway}>${
    words.hints.putAway}</button></p>`}
  </details>`)}`;
});
