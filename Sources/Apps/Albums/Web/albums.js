// The list of albums: those that a member is in, and those that this device has joined; and the form that makes one.

import { computed, each, effect, element, ending, html, signal } from '/ui.js';
import { beginPage } from '/navigation.js';
import { careful } from '/doing.js';
import { startLive, tellRinging, tellUsable } from '/live.js';
import { isAway, keepAnswer, recall } from '/keep.js';
import { create, load, may, reusing, session } from '/session.js';
import { ALBUMS, KEPT } from '/albums/album/client.js';
import { claimAlbums } from '/albums/album/kept.js';
import { drawing, icons } from '/albums/icons.js';
import { keptBeside, pageOf, secretOf } from '/albums/opening.js';
import { ADDRESS, SHARED, waiting } from '/albums/share/incoming.js';
import { Originals } from '/uploads/originals.js';
import { count, words } from '/albums/words.js';

const AGAIN = 30_000; // milliseconds between two looks at what changes by itself

const cover = (address) => html`<span class="album-cover">${address
  ? html`<img src=${address} alt="" loading="lazy">` : drawing(icons.pictures)}</span>`;

const tags = (one) => html`${one.asked && one.role === 'host'
  ? html`<span class="tag" data-kind="warn">${words.asked(count(one.asked))}</span>` : ''}${
  one.waiting && one.role === 'host'
  ? html`<span class="tag" data-kind="warn">${words.waiting(count(one.waiting))}</span>` : ''}${
  one.state === 'closed' ? html`<span class="tag">${words.closed}</span>` : ''}`;

const row = (one) => html`<li><a class="album-row" href=${pageOf(one)}>${cover(one.cover)}<span class="album-about">
  <span class="grow"><strong>${one.name}</strong><small>${words.pictures(count(one.pictures ?? 0))}</small></span>${
  tags(one)}</span></a></li>`;

const keptPage = ({ role, secret }) => `/album${role === 'host' ? '/host' : ''}#${encodeURIComponent(secret)}`;

const keptRow = (one) => html`<li><a class="album-row" href=${keptPage(one)}>${cover(null)}<span class="grow">
  <strong>${one.name}</strong><small>${words.hereText}</small></span></a></li>`;

function form() {
  const { doing, note, isBusy } = careful();
  const submit = (event) => {
    event.preventDefault();
    const name = event.target.elements.name.value.trim();
    if (!name) return;
    doing(async () => {
      const made = await create(ALBUMS, { name });
      location.assign(`/album/host#${encodeURIComponent(secretOf(made.join_url))}`);
    });
  };
  return html`<form class="card" @submit=${submit}>
    <div class="field"><label for="album-name">${words.name}</label>
      <input id="album-name" name="name" maxlength="100" aria-required="true" autocomplete="off"
        placeholder=${words.placeholder}></div>${note}
    <p class="row"><button class="button primary" aria-busy=${isBusy}>${drawing(icons.plus)}${
  words.make}</button></p></form>`;
}

element('albums-page', () => {
  beginPage(() => words.title);
  startLive();
  tellRinging();
  const albums = signal(undefined);
  const mayMake = signal(true);
  const isLost = signal(false);
  const me = computed(() => session() && session().person.id);
  const read = async () => {
    const asker = me.peek();
    try {
      const answer = await load(ALBUMS);
      if (me.peek() !== asker) return; // signed out meanwhile, or somebody else is here
      albums.set(reusing(albums.peek(), answer.albums));
      mayMake.set(answer.may_make !== false);
      isLost.set(false);
      claimAlbums(new Set(answer.albums.map(({ id }) => id)));
      keepAnswer(KEPT, answer.albums, true);
    } catch (error) {
      if (!isAway(error) || me.peek() !== asker) return;
      isLost.set(true);
      if (!albums.peek()) albums.set((await recall(KEPT))?.body);
    }
  };
  let whose; // the member whose albums are shown
  effect(() => {
    if (session() === undefined) return;
    tellUsable();
    if (me() !== whose) albums.set(undefined); // those of a member who was signed out
    whose = me();
    if (!whose) return;
    read();
    const timer = setInterval(() => { if (!document.hidden) read(); }, AGAIN);
    ending(() => clearInterval(timer));
  });
  const shared = signal(0); // pictures from the share sheet, without an album yet
  waiting(new Originals(SHARED)).then((rows) => {
    shared.set(rows.length);
    indexedDB.deleteDatabase('eightbells-shared'); // earlier pages kept it for whoever came
  }).catch(() => {}); // no storage
  // Asked for anew it is the same: the name that somebody types for a new album stays.
  const makes = computed(() => may('albums.make') && mayMake() && Boolean(albums()));
  const kept = computed(() => keptBeside(albums()));
  const none = () => html`<div class="empty albums-none"><strong>${words.none}</strong><p>${makes() ? words.noneText
    : words.noneToMake}</p></div>`;
  const stranger = () => html`<section class="card for-owners"><p>${words.outside}</p>
    <p class="row"><a class="button primary" href="/join">${words.signIn}</a></p></section>`;
  return html`<div class="page albums-list">
    <section><h1>${words.title}</h1><p class="quiet">${words.intro}</p></section>
    ${() => (shared() ? html`<p class="note" data-kind="info"><a href=${ADDRESS}>${
    words.shared(count(shared()))}</a></p>` : '')}
    ${() => (isLost() ? html`<p class="note" role="status">${words.unreachable}</p>` : '')}
    ${() => (session() === null ? stranger() : '')}
    ${() => (albums()?.length === 0 ? none() : '')}
    <ul class="list" hidden=${() => !albums()?.length}>${each(() => albums() ?? [], ({ id }) => id, row)}</ul>
    ${() => (makes() ? form() : '')}
    <section hidden=${() => !kept().length}><h2>${words.here}</h2><ul class="list">${each(kept, ({ secret }) => secret,
  keptRow)}</ul></section></div>`;
});
