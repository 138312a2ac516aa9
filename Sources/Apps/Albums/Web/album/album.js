// A guest's page: one button to join, then the album. Its address ends in the album's secret; with another one it shows
// another album. What is not needed to read and join is loaded afterwards.

import { computed, effect, element, ending, html, listening, signal } from '/ui.js';
import { applyAccent } from '/accent.js';
import { appearance, recallAppearance, refreshAppearance } from '/appearance.js';
import { insist, soon } from '/done.js';
import { keepPages } from '/offline.js';
import { memberAlbum, openAlbum } from '/albums/album/client.js';
import { asked, join, over } from '/albums/album/join.js';
import { keepAlbum, keptAlbums } from '/albums/album/kept.js';
import { words } from '/albums/album/words.js';

const LATER = 1_000; // milliseconds: what one came for is first

/** The whole fragment is the secret; with none, the album that was open last on this device. */
const secretHere = () => decodeURIComponent(location.hash.slice(1)) || (keptAlbums.peek()[0]?.secret ?? '');

/** The album of a fragment: a member's is named by its id, where they are its guest. */
function albumOf(text) {
  const id = /^id=(\w+)$/.exec(text)?.[1];
  if (!id) return openAlbum(text);
  const kept = keptAlbums.peek().find((one) => one.id === id);
  return kept ? openAlbum(kept.secret) : memberAlbum(id);
}

/** The view within an album, from its heading on for those who have just come in; or that it could not be loaded. */
function within(album, hasCome) {
  const inside = signal(null);
  const isMissing = signal(false);
  insist(() => import('/albums/album/inside.js'), () => isMissing.set(true)).then((it) => {
    inside.set(it);
    isMissing.set(false);
    if (hasCome) requestAnimationFrame(() => document.querySelector('main h1')?.focus());
  });
  return html`${() => (inside() ? inside().view(album) : '')}${() => (isMissing()
    ? html`<p class="note album-note">${words.head.offline}</p>` : '')}`;
}

/**
 * Gives the page the space's own colour, as this device or else the hub knows it. Nearly everybody is here for the
 * first time, and would see another one at first.
 */
async function colour() {
  await recallAppearance();
  const current = refreshAppearance();
  if (!appearance.peek().icon) await current;
  applyAccent(appearance.peek().color);
}

element('album-page', () => {
  const secret = signal(secretHere());
  addEventListener('hashchange', () => secret.set(secretHere()));
  addEventListener('focusin', () => import('/focus.js').catch(() => {}), { once: true });
  const isColoured = signal(false);
  soon(colour()).then(() => isColoured.set(true));
  const timer = setTimeout(keepPages, LATER);
  ending(() => clearTimeout(timer));
  const view = () => {
    if (!secret()) return over('none');
    const album = albumOf(secret());
    if (album.id && album.secret) keepAlbum(album.entry.peek()); // the latest
    if (album.secret && !secret().startsWith('id=') && album.secret !== secret()) { // by an earlier link
      history.replaceState(null, '', `#${encodeURIComponent(album.secret)}`);
    }
    album.start();
    const check = () => { if (!document.hidden) album.check(); };
    listening(window, ['online', 'visibilitychange', 'pageshow'], check);
    ending(() => album.stop());
    effect(() => {
      const name = album.details()?.name ?? album.entry()?.name;
      document.title = [name, words.title, 'Eightbells'].filter(Boolean).slice(0, 2).join(' · ');
    });
    const state = computed(() => album.state());
    let hasCome = false;
    return html`${() => {
      document.body.dataset.state = state();
      if (!isColoured()) return '';
      if (state() === 'in') return within(album, hasCome);
      hasCome = true;
      if (state() === 'asked') return asked(album);
      if (state() === 'outside') return album.secret ? join(album) : over('none'); // a member who has left
      return over(state(), album);
    }}`;
  };
  return html`${view}`;
});
