// The live wall, for a screen in the room: a new picture lies as a print on the others for some seconds, then takes its
// place among them.

import { insist } from '/done.js';
import { computed, effect, element, html, signal } from '/ui.js';
import { appearance, recallAppearance, refreshAppearance } from '/appearance.js';
import { legalLinks } from '/legal.js';
import { stayAwake } from '/awake.js';
import { numberOf } from '/albums/album/gallery/choosing.js';
import { momentOf } from '/albums/album/gallery/groups.js';
import { timeOf, dayOf } from '/albums/album/gallery/words.js';
import { drawing, icons } from '/albums/icons.js';
import { albumHere, followAddress, followLink, linkOf } from '/albums/opening.js';
import { Board } from '/albums/wall/board.js';
import { joinByItself } from '/albums/wall/joining.js';
import { LIMITS, onWall, Programme } from '/albums/wall/programme.js';
import { sounds } from '/albums/wall/sounds.js';
import { words, count } from '/albums/wall/words.js';
import { keepPages } from '/offline.js';
import { ownAddress } from '/own-address.js';
import { session } from '/session.js';

const LATER = 1000; // milliseconds after the album is known, for what is not its pictures

/** A film plays without a sound on its picture, as long as that lies there; the screen beside it has no other. */
function playing(src) {
  const film = Object.assign(document.createElement('video'), { src, muted: true, loop: true, playsInline: true });
  film.onplaying = () => film.classList.add('is-there');
  film.onerror = () => film.remove();
  film.play().catch(() => film.remove());
  return film;
}

/** The picture that lies on the others; `film` is the address of what moves on it. */
function print({ picture, isNew }, film) {
  const source = picture.sizes[1600] ?? picture.sizes[320];
  const who = picture.by?.name ?? words.someone;
  const when = isNew ? words.justNow : `${dayOf(momentOf(picture))} ${timeOf(momentOf(picture))}`;
  const hearts = picture.hearts
    ? html`<span class="hearts">${drawing(icons.heart)}<span class="visually-hidden">${words.hearts(picture.hearts)}
      </span><span aria-hidden="true">${picture.hearts}</span></span>` : '';
  const it = html`<figure class="arriving">
    <div class="arriving-picture"><img src=${source} width=${picture.width || 3} height=${picture.height || 2}
      alt=${words.picture(picture.by?.name)}>${film ? playing(film) : ''}</div>
    <figcaption><strong>${who}</strong> ${when}${hearts}</figcaption></figure>`.firstElementChild;
  it.style.setProperty('--ar', (picture.width || 3) / (picture.height || 2));
  return it;
}

/** Shows one after the other, as long as the page is there. */
async function run(album, box, board, heard) {
  let films = new Map(); // of live photos, by their pictures' ids
  const programme = new Programme();
  let wake = () => {};
  let lying = null; // the print on the others: {id, end}
  effect(() => {
    const found = onWall(album);
    if (!found) return;
    films = found.films;
    programme.take(found.pictures);
    board.keep(programme.pictures);
    if (lying && !programme.has(lying.id)) lying.end();
    if (programme.waiting) wake();
  });
  const pause = (ms) => new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
  });
  for (;;) {
    const one = programme.next();
    if (one) {
      const { id, sound } = one.picture;
      const sheet = print(one, one.picture.video ?? films.get(one.picture.id)?.video);
      const image = sheet.querySelector('img');
      await image.decode().catch(() => {});
      if (!programme.has(id)) continue; // hidden or withdrawn while it was loaded
      if (!image.naturalWidth) { // without a network those stay that are there
        await pause(LIMITS.rest);
        continue;
      }
      box.replaceChildren(sheet);
      if (sound?.url && album.details.peek()?.options?.plays_sound) heard.play(sound.url);
      await new Promise((resolve) => {
        setTimeout(resolve, LIMITS.print);
        lying = { id, end: resolve };
      });
      lying = null;
      if (sound?.url && !programme.has(id)) heard.stop();
      sheet.classList.add('is-leaving');
      sheet.querySelector('video')?.pause();
      board.put(one.picture, sheet);
    }
    if (!programme.waiting) await pause(LIMITS.rest);
  }
}

const TROUBLES = { wrong: words.wrong, gone: words.wrong, removed: words.wrong, refused: words.wrong,
  'signed-out': words.signedOut, closed: words.closed };

function start(album, isStarted) {
  // A member who is signed in here comes with their own name.
  if (album.state.peek() !== 'outside') album.start();
  else if (album.secret) joinByItself(album, session.peek() ? {} : { name: words.name });
  else album.state.set('wrong');
  isStarted.set(album);
}

function foot(album, { host, picture }, heard, isDead) {
  const details = album.details;
  const shown = () => numberOf(album);
  const isLost = () => album.line() === 'lost' || (album.state() === 'outside' && album.isUnreachable());
  return html`<section class="wall-foot"><div>${() => (details() ? html`<h1>${details().name}</h1>` : '')}<p>${() =>
    (details()?.counts ? words.counts(count(shown()), count(details().counts.guests ?? 0)) : '')}</p>
    <p class="wall-line" role="status">${() => (isLost() ? words.lost
    : navigator.wakeLock ? '' : words.awake)}</p>${() => (heard.isAsking() ? html`<button class="wall-sound"
      type="button">${drawing(icons.sound)}${words.sound}</button>` : '')}
      <p class="wall-legal">${legalLinks(appearance)}</p></div>
    ${() => (details()?.state === 'closed' ? html`<p>${words.closed}</p>` : TROUBLES[album.state()] || isDead() ? ''
    : html`<div class="wall-code"><p><strong>${words.yours}</strong>${host}</p>${picture ? html`<div class="qr"><img
      src=${picture} alt=${words.code} width="172" height="172"></div>` : ''}</div>`)}</section>`;
}

element('album-wall', () => {
  keepPages();
  recallAppearance();
  followAddress();
  const album = signal(null);
  const code = signal({ host: location.host });
  const box = html`<div class="print" aria-live="polite"></div>`.firstElementChild;
  const board = new Board();
  const heard = sounds();
  // Anywhere on the screen. A finger lets a page be heard when it is lifted, and not yet when it comes down.
  for (const name of ['touchend', 'click', 'keydown']) addEventListener(name, heard.allow, true);
  albumHere().then((found) => start(found, album));
  const link = computed(() => album()?.details()?.join_url); // hosts alone are told it, and may make a new one
  effect(() => { if (album()) followLink(album()); });
  const isDead = signal(false); // a guest's screen has a link that leads nowhere any more
  effect(() => {
    const it = album();
    it?.on('album', async () => isDead.set(!link.peek() && await it.isThere() === false));
  });
  const bringTheRest = () => {
    refreshAppearance();
    insist(() => import('/code-picture.js')).then(({ pictureOf }) => effect(() => {
      link();
      album.peek().line(); // a screen may start before the hub, which knows its address
      ownAddress().then(async (address) => {
        const picture = await pictureOf(`${address}/album#${linkOf(album.peek())}`);
        if (picture !== code.peek().picture) code.set({ host: new URL(address).host, picture });
      }).catch((error) => console.error(error));
    }));
  };
  effect(() => {
    if (!album()) return;
    stayAwake('wall', true);
    setTimeout(bringTheRest, LATER);
    run(album(), box, board, heard);
  });
  const isHeard = computed(() => Boolean(album()?.details()?.options?.plays_sound));
  effect(() => { if (isHeard()) heard.ask(); });
  const state = computed(() => album()?.state());
  // The screen in the room has this page within its own, and shows it as long as it is in the album.
  if (parent !== window) effect(() => parent.postMessage({ wall: state() }, location.origin));
  addEventListener('resize', () => board.draw());
  addEventListener('online', () => album.peek()?.check());
  effect(() => { document.title = `${words.wall(album()?.details()?.name ?? '')} · Eightbells`; });
  const said = () => {
    if (state() === 'asked') return words.asked;
    if (state() === 'passphrase') return words.passphrase;
    if (TROUBLES[state()]) return TROUBLES[state()];
    if (album()?.details()?.state === 'closed') return '';
    return album() && onWall(album())?.pictures.length === 0 ? words.first : '';
  };
  return html`${board.element}${box}${() => (said() ? html`<p class="wall-said" role="status">${said()}</p>` : '')}${
    () => (album() ? foot(album(), code(), heard, isDead) : '')}`;
});
