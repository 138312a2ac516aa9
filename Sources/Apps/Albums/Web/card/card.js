// The card with an album's code, for paper: a large sheet, or four for tables. Each says it in both languages.

import { computed, effect, element, html, listening, signal } from '/ui.js';
import { recallAppearance, refreshAppearance } from '/appearance.js';
import { drawing, icons } from '/albums/icons.js';
import { albumHere, followAddress, followLink, linkOf } from '/albums/opening.js';
import { dictionary, words } from '/albums/card/words.js';
import { keepPages } from '/offline.js';
import { ownAddress } from '/own-address.js';
import { language } from '/shell-words.js';

const SIZES = { sheet: 1, cards: 4 };
const LONG = 60; // letters of a name that would leave the code little room

const said = (lang, isFamily) => {
  const { call, how, family } = dictionary[lang].paper;
  return html`<div lang=${lang}><p class="paper-call">${call}</p><p>${isFamily ? family : how}</p></div>`;
};

function paper(name, address, code, isFamily) {
  const other = language === 'en' ? 'de' : 'en';
  return html`<article class="paper"><h2 class=${name.length > LONG ? 'is-long' : ''}>${name}</h2>
    <div class="paper-code">${code ? html`<img src=${code} alt=${words.code}>` : ''}</div>
    <div class="paper-words">${said(language, isFamily)}${said(other, isFamily)}</div>
    <p class="paper-address">${address.replace(/^https?:\/\//, '')}</p></article>`;
}

element('album-card', () => {
  document.title = `${words.title} · Eightbells`;
  recallAppearance().then(refreshAppearance);
  keepPages();
  followAddress();
  const address = signal('');
  const size = signal('sheet');
  const name = signal('');
  const isFamily = signal(false);
  const album = signal(null);
  const take = (told) => {
    name.set(told?.name ?? '');
    isFamily.set(told?.mode === 'family');
  };
  const known = albumHere().then(async (found) => {
    album.set(found);
    name.set(found.entry.peek().name ?? '');
    if (found.id) await found.refreshDetails();
    else take(await found.look());
  }).catch(() => {});
  effect(() => {
    if (!album()?.details()) return;
    take(album().details());
    followLink(album());
  });
  const secret = computed(() => {
    album()?.details(); // hosts are told the link as it is now
    return linkOf(album());
  });
  const code = signal('');
  Promise.all([ownAddress(), import('/code-picture.js'), known]).then(([own, { pictureOf }]) => effect(() => {
    address.set(`${own}/album#${secret()}`);
    pictureOf(address.peek()).then(code.set).catch((error) => console.error(error));
  })).catch((error) => console.error(error));
  // A host may have made a new link in another tab.
  listening(document, ['visibilitychange'], () => {
    if (!document.hidden && album.peek()?.id) album.peek().refreshDetails().catch(() => {});
  });
  const choice = (id) => html`<button type="button" aria-pressed=${() => String(size() === id)}
    @click=${() => size.set(id)}>${words[id]}</button>`;
  const back = () => `/album/host#${encodeURIComponent(secret())}`;
  return html`<header class="card-tools"><a class="back" href=${back}>${words.back}</a>
    <h1>${words.title}</h1><p class="quiet">${words.text}</p>
    ${() => (isFamily() ? html`<p>${words.family}</p>` : '')}<div class="row">
      <div class="views" role="group" aria-label=${words.format}>${choice('sheet')}${choice('cards')}</div>
      <button class="button primary" type="button" @click=${() => print()}>${drawing(icons.print)}${words.print}
      </button></div></header>
    ${() => (album()?.state() === 'wrong' ? html`<p class="note">${words.wrong}</p>`
    : html`<div class="papers" data-size=${size}>${() =>
      Array.from({ length: SIZES[size()] }, () => paper(name(), address(), code(), isFamily()))}</div>`)}`;
});
