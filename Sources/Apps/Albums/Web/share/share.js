// Asks into which album the pictures go that somebody shared to this app, and hands them to its queue.

import { computed, each, effect, element, ending, html, signal } from '/ui.js';
import { beginPage } from '/navigation.js';
import { startLive, tellRinging, tellUsable } from '/live.js';
import { keepAnswer, recall } from '/keep.js';
import { workerNow } from '/offline.js';
import { load, session } from '/session.js';
import { ALBUMS, KEPT, memberAlbum, openAlbum } from '/albums/album/client.js';
import { queueOf } from '/albums/album/sender.js';
import { drawing, icons } from '/albums/icons.js';
import { keptBeside } from '/albums/opening.js';
import { handOver, PROBLEMS, SHARED, sharedFiles } from '/albums/share/incoming.js';
import { count, words } from '/albums/share/words.js';
import { Originals } from '/uploads/originals.js';

// Share sheets open the installed app, while a page of another site that posts their form opens a tab.
const isApp = ['standalone', 'minimal-ui', 'fullscreen']
  .some((mode) => matchMedia(`(display-mode: ${mode})`).matches);

const note = (text) => html`<p class="note" role="status">${text}</p>`;

function thumb({ file }) {
  if (!file.type.startsWith('image/')) return html`<li>${words.film}</li>`;
  const address = URL.createObjectURL(file);
  ending(() => URL.revokeObjectURL(address));
  return html`<li><img src=${address} alt=${file.name}></li>`;
}

element('share-page', () => {
  beginPage(() => words.title);
  startLive();
  tellRinging();
  const originals = new Originals(SHARED);
  const shared = signal(undefined);
  const mine = signal(undefined); // until known
  const problem = signal(words.problems[PROBLEMS.find((one) => location.hash === `#${one}`)] ?? '');
  const isBusy = signal(false);
  if (location.hash === '#again' && navigator.serviceWorker) workerNow(); // it takes the pictures the next time
  sharedFiles(originals).catch(() => []).then((all) => shared.set(all));
  effect(() => {
    if (session() === undefined) return;
    tellUsable();
    if (!session()) return void mine.set([]);
    const recalling = recall(KEPT).then((kept) => { if (kept && !mine.peek()) mine.set(kept.body); });
    load(ALBUMS).then(({ albums }) => {
      mine.set(albums);
      keepAnswer(KEPT, albums, true);
    }).catch(() => recalling.then(() => mine.set(mine.peek() ?? [])));
  });
  const albums = computed(() => {
    const kept = keptBeside(mine()).map((one) => ({ ...one, isKept: true }));
    return [...mine() ?? [], ...kept]
      .filter(({ state }) => state !== 'closed');
  });
  const hasAlbums = computed(() => albums().length > 0); // rows stay where they are while a newer list comes
  const choose = async ({ id, secret, isKept }) => {
    if (isBusy.peek()) return;
    isBusy.set(true);
    try {
      const { queue, lease, others } = await queueOf(isKept ? openAlbum(secret) : memberAlbum(id));
      const { left, why } = await handOver(shared.peek(), queue, originals);
      queue.stop(); // the album's page goes on
      lease.end();
      others?.close();
      if (!left) return void location.replace(`/album#${isKept ? encodeURIComponent(secret) : `id=${id}`}`);
      shared.set(shared.peek().slice(-left));
      problem.set((why === 'full' ? words.full : words.noRoom)(count(left)));
    } catch (error) {
      console.warn(error);
      problem.set(words.failed);
    }
    isBusy.set(false);
  };
  const discard = async () => {
    for (const { id } of shared.peek()) await originals.remove(id);
    shared.set(await sharedFiles(originals)); // of the share before
    problem.set(isApp && !shared.peek().length ? words.discarded : '');
  };
  const row = (one) => html`<li><button class="album-row" type="button" disabled=${isBusy}
    @click=${() => choose(one)}><span class="album-cover">${drawing(icons.pictures)}</span><span class="grow">
    <strong>${one.name}</strong></span></button></li>`;
  const none = (title, text) => html`<div class="empty albums-none"><strong>${title}</strong><p>${text}</p>
    <p><a class="button" href="/albums">${words.toAlbums}</a></p></div>`;
  const away = () => html`<p class="row"><button class="button" type="button" @click=${discard}>${words.discard}
    </button></p>`;
  const question = () => html`<p class="quiet">${() => words.here(count(shared().length))}</p>
    <ul class="shared-pictures">${each(() => shared(), ({ id }) => id, thumb)}</ul>
    ${isApp ? '' : html`<p class="note">${words.strange}</p>${away()}`}
    ${() => (hasAlbums() ? html`<ul class="list">${each(albums, ({ id }) => id, row)}</ul>`
    : mine() && none(words.noAlbum, words.noAlbumText))}
    ${isApp ? away() : ''}`;
  const hasSome = computed(() => shared()?.length > 0);
  return html`<div class="page albums-list"><h1>${words.title}</h1>${() => (problem() ? note(problem()) : '')}
    ${() => (hasSome() ? question() : '')}
    ${() => (shared() && !hasSome() ? none(words.nothing, words.nothingText) : '')}</div>`;
});
