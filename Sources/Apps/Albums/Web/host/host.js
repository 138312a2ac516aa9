// The page of an album's hosts: what waits, what is shown and hidden, who is here, the originals, the options.

import { computed, effect, element, ending, html, listening, signal } from '/ui.js';
import { beginPage } from '/navigation.js';
import { numberOf } from '/albums/album/gallery/choosing.js';
import '/albums/album/gallery/gallery.js';
import { tellRinging, tellUsable } from '/live.js';
import { holding } from '/offline.js';
import { session } from '/session.js';
import { chosenBar } from '/albums/host/chosen.js';
import { hiddenPart } from '/albums/host/hidden.js';
import { Hosting } from '/albums/host/model.js';
import { optionsPart } from '/albums/host/options.js';
import { peoplePart } from '/albums/host/people.js';
import { focusReview, reviewPart } from '/albums/host/review.js';
import { storageCard, zipCard } from '/albums/host/storage.js';
import { count, said, words } from '/albums/host/words.js';
import { drawing, icons } from '/albums/icons.js';
import { albumHere, followAddress, followLink, secretOf, takeHostLink } from '/albums/opening.js';

/** "Open since 14:00, closes tomorrow 12:00. 23 guests." */
function line(details) {
  const { options = {}, counts = {} } = details;
  const state = details.state === 'closed' ? words.isClosed
    : options.closes_at ? words.closes(said(options.closes_at)) : words.isOpen;
  return `${state} ${words.guests(count(counts.guests ?? 0), counts.guests)}`;
}

function head(album) {
  const details = () => album.details() ?? {};
  const secret = () => encodeURIComponent(secretOf(details().join_url));
  const own = () => (album.secret ? secret() : `id=${album.id}`); // a member is in already
  return html`<header class="room-head host-head"><div>${() => (session()
    ? html`<a class="back" href="/albums">${words.albums}</a>`
    : html`<a class="back" href=${() => `/album#${secret()}`}>${words.toAlbum}</a>`)}
    <h1>${() => details().name}</h1><p class="quiet">${() => line(details())}</p></div>
    <div class="row host-doors"><a class="button primary" href=${() => `/album#${own()}`}>${
  drawing(icons.pictures)}${words.takePart}</a><a class="button" href=${() => `/album/wall#${secret()}`}>${
  drawing(icons.screen)}${words.wall}</a><a class="button" href=${() => `/album/card#${secret()}`}>${
  drawing(icons.print)}${words.card}</a></div></header>`;
}

function views(album, hosting, view) {
  const waiting = () => hosting.queue().waiting.length;
  const asked = () => (hosting.people() ?? []).filter(({ state }) => state === 'asked').length;
  const mark = (number) => () => (number() ? html` <b>${count(number())}</b>` : '');
  const out = () => (hosting.hidden()?.length ?? 0) + (hosting.removed()?.length ?? 0);
  const numbered = (text, number) => () => (number() ? `${text} ${count(number())}` : text);
  const all = [
    ['waiting', html`${words.waiting}${mark(waiting)}`],
    ['shown', numbered(words.shown, () => numberOf(album))],
    ['originals', words.originals],
    ['hidden', numbered(words.hidden, out)],
    ['people', html`${words.people}${mark(asked)}`],
    ['options', words.options],
  ];
  const show = (id) => () => {
    view.set(id);
    requestAnimationFrame(focusReview);
  };
  return html`<div class="views host-views" role="group" aria-label=${words.views}>${all.map(([id, text]) =>
    html`<button type="button" data-view=${id} aria-pressed=${() => String(view() === id)}
      @click=${show(id)}>${text}</button>`)}</div>`;
}

const note = (text, link) => html`<div class="page"><section class="card for-owners"><h1>${words.albums}</h1><p>${
  text}</p>${
  link ? html`<p class="row">${link}</p>` : ''}</section></div>`;

const pending = (album) => html`<div class="page"><section><a class="back" href="/albums">${words.albums}</a>
  <h1>${() => album?.entry()?.name ?? words.albums}</h1><p class="quiet">${words.loading}</p></section></div>`;

/** Tells somebody who is no host here so, and where to go. */
function notHere(album) {
  const to = html`<a class="button primary" href=${`/album#${encodeURIComponent(album.secret ?? '')}`}>${
    words.toAlbum}</a>`;
  const state = album.state();
  if (state === 'signed-out') {
    return note(words.signedOut, html`<a class="button primary" href="/join">${words.signIn}</a>`);
  }
  if (['wrong', 'gone', 'removed', 'refused'].includes(state)) {
    return note(words.noAlbum, session() ? html`<a class="button" href="/albums">${words.albums}</a>` : '');
  }
  if (!album.details() && album.isUnreachable()) return note(words.unreachable);
  return ['outside', 'closed'].includes(state) || album.details() ? note(words.notHost, to) : pending(album);
}

function all(album) {
  const hosting = new Hosting(album);
  hosting.follow();
  effect(() => followLink(album));
  const chosen = signal(album.details.peek()?.counts?.asked ? 'people' : null); // who waits at the door comes first
  const picked = signal(null); // the chosen pictures, while some are being chosen
  ending(holding(() => picked.peek() !== null));
  let by = ''; // the id of whose pictures come first when they are looked at next
  const show = (id) => {
    by = id;
    chosen.set('shown');
  };
  const open = (id) => {
    chosen.set('people');
    requestAnimationFrame(() => document.getElementById(`person-${id}`)?.focus());
  };
  const shown = signal([]); // the pictures that the gallery shows
  const isPicking = computed(() => picked() !== null);
  const choose = () => {
    picked.set(new Set());
    chosen.set('shown');
    requestAnimationFrame(() => document.querySelector('.host-main').scrollIntoView());
  };
  const isReviewed = computed(() => album.details()?.options?.review || hosting.queue().waiting.length > 0);
  const wide = matchMedia('(min-width: 72rem)'); // as in host.css: the originals are beside all other views
  listening(wide, ['change'], () => { if (wide.matches && chosen.peek() === 'originals') chosen.set(null); });
  const view = Object.assign(computed(() => chosen() ?? (isReviewed() ? 'waiting' : 'shown')), { set: chosen.set });
  const part = () => {
    if (view() === 'waiting') return reviewPart(album, hosting);
    if (view() === 'hidden') return hiddenPart(hosting);
    if (view() === 'people') return peoplePart(album, hosting, show);
    if (view() === 'options') return optionsPart(album, hosting);
    if (view() === 'originals') return ''; // on narrow screens, where they are not beside the others
    const from = by;
    by = '';
    return html`<section class="host-shown"><h2 class="visually-hidden">${words.shown}</h2>
      <album-gallery .album=${album} .by=${from} .picked=${() => picked} .shown=${() => shown} .open=${() => open}
      ></album-gallery>${() => (isPicking() ? chosenBar(album, hosting, picked, shown) : '')}</section>`;
  };
  return html`<div class="host" data-view=${view}>${head(album)}${() => (album.isUnreachable()
    ? html`<p class="note" role="status">${words.unreachable}</p>` : '')}${views(album, hosting, view)}
    <div class="host-main">${part}</div>
    <div class="host-side">${storageCard(hosting)}${zipCard(album, hosting, choose)}</div></div>`;
}

async function agrees(name) {
  const { ask } = await import('/people/ask.js');
  return await ask({ title: words.becomeTitle(name), text: words.becomeText, yes: words.become }) !== null;
}

element('album-host', () => {
  followAddress();
  const album = signal(null);
  beginPage(() => album()?.details()?.name ?? words.albums);
  takeHostLink(agrees).then(albumHere).then((found) => {
    found.start();
    album.set(found);
  });
  effect(() => { if (album()) tellUsable(); });
  tellRinging();
  const check = () => album.peek()?.check();
  addEventListener('online', check);
  addEventListener('visibilitychange', check);
  ending(() => album.peek()?.stop());
  const isHost = computed(() => album()?.state() === 'in' && album().details()?.me?.role === 'host');
  return html`${() => {
    if (!album()) return pending();
    return isHost() ? all(album.peek()) : notHere(album());
  }}`;
});
