// Shows a one-time link for another device: to be scanned, sent or typed, with its remaining time.

import { computed, ending, html, signal } from '/ui.js';
import { copyText } from '/copying.js';
import { careful } from '/doing.js';
import { hubAhead, isAway } from '/keep.js';
import { isLoopback } from '/own-address.js';
import { change, load } from '/session.js';
import { language, told } from '/people/told.js';

const LOOK = 2_000; // milliseconds between two checks if the link was used
const TICK = 1_000;
const USED = 41020;

export const dictionary = {
  en: {
    made: 'The link is there',
    scan: 'Scan it with the other device’s camera,',
    send: 'or send the link,',
    type: 'or type the code there, under “Sign in”.',
    typeWhere: (host) => `The address to type is ${host}/join`,
    loopback: 'This link leads to this machine alone. For another one, open this page by an address that it '
      + 'reaches, such as http://192.168.1.10:8080. The line listen = 0.0.0.0:8080 in eightbells.conf lets others in.',
    alt: 'QR code of the link',
    share: 'Share',
    copyLink: 'Copy the link',
    left: (minutes, seconds) => `good for ${minutes}:${seconds} min, once`,
    leftDays: (words) => `good for ${words}, once`,
    codeOver: 'The code is no longer good; the link still is.',
    over: 'This link is no longer good.',
    used: 'Done: the other device is signed in.',
    again: 'A new one',
    withdraw: 'Withdraw it',
    keep: 'Close, the link stays good',
    days: (n) => (n === 1 ? '1 day' : `${n} days`),
    hours: (n) => (n === 1 ? '1 hour' : `${n} hours`),
    app: 'In an app on the home screen, type the code: such an app knows nothing of links opened elsewhere.',
  },
  de: {
    made: 'Der Link ist da',
    scan: 'Mit der Kamera des anderen Geräts scannen,',
    send: 'oder den Link schicken,',
    type: 'oder den Code dort eintippen, unter „Anmelden“.',
    typeWhere: (host) => `Die Adresse zum Eintippen: ${host}/join`,
    loopback: 'Dieser Link führt nur zu diesem Rechner. Für andere Geräte öffne diese Seite unter einer Adresse, '
      + 'die sie erreichen, etwa http://192.168.1.10:8080. Die Zeile listen = 0.0.0.0:8080 in eightbells.conf lässt '
      + 'andere herein.',
    alt: 'QR-Code des Links',
    share: 'Teilen',
    copyLink: 'Link kopieren',
    left: (minutes, seconds) => `gilt noch ${minutes}:${seconds} min, einmal`,
    leftDays: (words) => `gilt noch ${words}, einmal`,
    codeOver: 'Der Code gilt nicht mehr; der Link schon noch.',
    over: 'Dieser Link gilt nicht mehr.',
    used: 'Fertig: Das andere Gerät ist angemeldet.',
    again: 'Ein neuer',
    withdraw: 'Zurückziehen',
    keep: 'Schließen, der Link gilt weiter',
    days: (n) => (n === 1 ? '1 Tag' : `${n} Tage`),
    hours: (n) => (n === 1 ? '1 Stunde' : `${n} Stunden`),
    app: 'In einer App auf dem Startbildschirm den Code eintippen: Sie weiß nichts von Links, die woanders aufgehen.',
  },
};

const words = dictionary[language];

const two = (number) => String(number).padStart(2, '0');

function remaining(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  if (seconds < 3600) return words.left(Math.floor(seconds / 60), two(seconds % 60));
  const hours = Math.round(seconds / 3600);
  return words.leftDays(hours < 48 ? words.hours(hours) : words.days(Math.round(hours / 24)));
}

const heard = (about) => (about ? html` <span class="visually-hidden">${about}</span>` : '');

/** A button without a form: its name, what it does, and how it looks. `about` tells it from others for the ear. */
export const button = (name, act, kind = '', about = '') => html`<button type="button" class=${`button ${kind}`}
  @click=${act}>${name}${heard(about)}</button>`;

/** Copies a text; the button says for a moment whether it did, which not every browser lets a page do. */
export function copyButton(text, label = told.copy, about = '') {
  const done = signal('');
  const copy = async () => {
    done.set(await copyText(text).then(() => told.copied, () => told.notCopied));
    setTimeout(() => done.set(''), 2_000);
  };
  return html`<button type="button" class="button" @click=${copy}>
    <span aria-live="polite">${() => done() || label}</span>${heard(about)}</button>`;
}

/**
 * Asks what became of a link: 'open', 'used', or 'over' if it has expired or was taken back. Throws if the hub does
 * not say.
 */
export async function fate(url) {
  try {
    await change('POST', '/api/v1/links/look', { link: new URL(url).hash.slice(1) });
    return 'open';
  } catch (error) {
    if (isAway(error) || ![404, 410].includes(error.status)) throw error;
    return error.code === USED ? 'used' : 'over';
  }
}

/**
 * Shows a link made by the hub. `again` makes a new one, `closed` closes the panel, `used` is called when the other
 * device is signed in.
 */
export function linkPanel(link, { again, closed, used }) {
  const now = signal(Date.now() + hubAhead());
  const state = signal('open'); // 'open', 'used', 'over'
  const end = Date.parse(link.expires_at);
  const codeEnd = Date.parse(link.code_expires_at ?? link.expires_at);
  const ticking = setInterval(() => {
    now.set(Date.now() + hubAhead());
    if (state.peek() === 'open' && now.peek() >= end) state.set('over');
  }, TICK);
  let looking = false;
  const look = setInterval(async () => {
    if (document.hidden || looking || state.peek() !== 'open') return;
    looking = true;
    try {
      const links = await load('/api/v1/links');
      if (links.some(({ id }) => id === link.id)) return;
      const became = await fate(link.url);
      if (state.peek() !== 'open') return;
      state.set(became);
      if (became === 'used') used?.();
    } catch { // the next check may succeed
    } finally {
      looking = false;
    }
  }, LOOK);
  ending(() => { clearInterval(ticking); clearInterval(look); });
  const share = () => navigator.share({ url: link.url }).catch(() => {}); // the reader has cancelled
  const { doing, note } = careful();
  const withdraw = () => doing(async () => {
    await change('DELETE', `/api/v1/links/${link.id}`).catch((error) => {
      if (isAway(error) || error.status !== 404) throw error; // else it was used, or has expired, meanwhile
    });
    closed();
  });
  const hasCode = computed(() => now() < codeEnd); // who is selecting the code keeps it while the time goes on
  const picture = `data:image/svg+xml,${encodeURIComponent(link.qr)}`;
  const warning = isLoopback(link.url) ? html`<p class="note">${words.loopback}</p>` : '';
  const open = () => html`${warning}<div class="link-ways">
      <img class="qr" width="240" height="240" src=${picture} alt=${words.alt}>
      <div class="link-words">
        <p>${words.scan}</p>
        <p>${words.send}</p>
        <p class="row">
          ${navigator.share ? button(words.share, share, 'primary') : ''}
          ${copyButton(link.url, words.copyLink)}
        </p>
        <p class="small"><a href=${link.url}>${link.url}</a></p>
        ${() => (hasCode() ? html`<p>${words.type}</p>
          <output class="code large">${link.code}</output>
          <p class="quiet small">${words.typeWhere(new URL(link.url).host)}</p>` : html`<p>${words.codeOver}</p>`)}
        <p class="link-left" role="timer">${() => remaining(Math.max(0, end - now()))}</p>
      </div></div>
    <p class="quiet small">${words.app}</p>
    <p class="row">${button(words.keep, closed)} ${button(words.withdraw, withdraw)}</p>${note}`;
  const after = () => html`<p class="row">
      ${state() === 'over' ? button(words.again, again, 'primary') : ''} ${button(told.close, closed)}</p>`;
  const isOpen = () => state() === 'open';
  // Only the end is told by itself: all of the panel would be read anew with each second.
  return html`<div class="link-panel" role="group" aria-label=${words.made} tabindex="-1">
    ${() => (isOpen() ? open() : '')}
    <p class="link-end" role="status" data-kind=${state}>${() => (isOpen() ? '' : words[state()])}</p>
    ${() => (isOpen() ? '' : after())}</div>`;
}
