// Within an album: its name and who one is, what this device sends, the pictures, and under the thumb Take and Choose.

import { computed, effect, ending, html, signal } from '/ui.js';
import { insist } from '/done.js';
import { adding } from '/albums/album/adding.js';
import { albumsDialog, meDialog } from '/albums/album/dialogs.js';
import { numberOf, seen } from '/albums/album/gallery/choosing.js';
import { drawing, icons } from '/albums/icons.js';
import { keptAlbums } from '/albums/album/kept.js';
import { queueView } from '/albums/album/queue-view.js';
import { keepSending, queueOf } from '/albums/album/sender.js';
import { words } from '/albums/album/words.js';
import { ownAddress } from '/own-address.js';

const LOST = 4_000; // milliseconds without the hub after which it is said

function head(album, queue) {
  const details = album.details;
  const me = meDialog(album, queue);
  const albums = albumsDialog(album);
  const counts = () => {
    if (!details()) return '';
    const all = numberOf(album);
    return details().options?.upload_only && details().me?.role !== 'host' ? words.head.mine(all)
      : words.head.counts(all, details().counts?.guests ?? 1);
  };
  const name = computed(() => details()?.me?.name);
  const count = computed(() => keptAlbums().length - 1);
  const title = () => details()?.name ?? album.entry()?.name ?? '';
  return html`<header class="album-head"><div class="grow"><h1 tabindex="-1">${title}</h1>
      <p class="quiet">${counts}${() => (count() > 0 ? html` <button class="link-button" type="button"
        @click=${() => albums.open()}>${words.head.switch(count())}</button>` : '')}</p></div>
    <button class="me-chip" type="button" @click=${() => me.open()}><span>${() => name() || words.head.guest}</span>
      <small>${() => (name() ? words.head.change : words.head.addName)}</small></button></header>
    ${me.dialog}${albums.dialog}`;
}

function notes(album) {
  const options = computed(() => album.details()?.options ?? {});
  const isHost = computed(() => album.details()?.me?.role === 'host');
  const isLost = signal(false);
  let timer;
  effect(() => { // a connection that comes back at once is no news
    const isSo = album.isUnreachable() || album.line() === 'lost';
    clearTimeout(timer);
    if (isSo) timer = setTimeout(() => isLost.set(true), LOST);
    else isLost.set(false);
  });
  ending(() => clearTimeout(timer));
  // A device keeps only the newest pictures of a large album.
  const last = () => {
    const [shown, all] = [seen([...album.pictures().values()]).length, numberOf(album)];
    return shown < all ? words.head.partly(shown, all) : words.head.offline;
  };
  return html`${() => (album.details()?.state === 'closed' ? html`<p class="note">${words.head.closed}</p>` : '')}
    ${() => (isLost() ? html`<p class="note" data-kind="info" role="status">${last}</p>` : '')}
    ${() => (options().upload_only && !isHost() ? html`<p class="quiet small">${words.head.uploadOnly}</p>` : '')}
    ${() => (options().review && !isHost() ? html`<p class="quiet small">${words.head.review}</p>` : '')}`;
}

/** The code of the album's link, for those beside one. */
function empty(album) {
  const code = signal('');
  // Hosts are told the link as it is now; a member may have come by the album's id.
  const link = async () => {
    const secret = album.details.peek()?.join_url?.split('#')[1] ?? album.secret;
    return secret && `${await ownAddress()}/album#${secret}`;
  };
  Promise.all([link(), import('/code-picture.js')]).then(([it, { pictureOf }]) => (it ? pictureOf(it) : ''))
    .then(code.set).catch(() => {});
  const isClosed = computed(() => album.details()?.state === 'closed');
  return html`${() => (isClosed() ? html`<p class="empty">${words.empty.closed}</p>` : html`
  <section class="album-empty">${() => (code() ? html`<img class="code-picture" src=${code()}
    alt=${words.empty.alt} width="184" height="184">` : '')}<h2>${words.empty.title}</h2><p>${words.empty.text}</p>
  </section>`)}`;
}

function pictures(album, queue) {
  const isMissing = signal(false);
  insist(() => import('/albums/album/gallery/gallery.js'), () => isMissing.set(true))
    .then(() => isMissing.set(false));
  const isEmpty = computed(() => album.isWhole() && album.pictures().size === 0 && !(queue()?.items().length > 0));
  const gallery = document.createElement('album-gallery');
  Object.assign(gallery, { album, queue });
  effect(() => { gallery.hidden = isEmpty(); });
  return html`${() => (isEmpty() ? empty(album) : '')}${gallery}${() => (isMissing()
    ? html`<p class="note">${words.head.offline}</p>` : '')}`;
}

export function view(album) {
  const sender = signal(null);
  const queue = computed(() => sender()?.queue);
  let isOver = false;
  ending(() => { isOver = true; });
  const opened = queueOf(album).then((it) => {
    if (isOver) it.lease.end();
    else {
      sender.set(it);
      it.queue.restore();
    }
    return it.queue;
  });
  effect(() => { if (sender()) keepSending(album, sender()); });
  // A page that hears of nothing just now, or of no others' pictures, fetches its own when one has arrived; and nobody
  // hears of one that waits for a host.
  const sent = computed(() => queue()?.progress().done ?? 0);
  const isDeaf = () => album.line.peek() !== 'live' || album.details.peek()?.live?.channel === null;
  const mayWait = () => album.details.peek()?.options?.review && album.details.peek().me?.role !== 'host';
  effect(() => {
    if (!sent()) return;
    if (isDeaf()) album.refresh();
    else if (mayWait()) album.refreshMine();
  });
  const isClosed = computed(() => album.details()?.state === 'closed');
  const add = adding(opened);
  return html`${head(album, queue)}<div class="album">${notes(album)}${add.note}
    ${() => (queue() ? queueView(queue()) : '')}${pictures(album, queue)}</div>
    ${() => (isClosed() ? '' : html`<div class="take-bar">
      <button class="button primary wet" type="button" @click=${add.take}>${drawing(icons.camera)}${words.take}</button>
      <button class="button wet" type="button" @click=${add.choose}>${drawing(icons.pictures)}${words.choose}</button>
    </div>`)}${add.hidden}`;
}
