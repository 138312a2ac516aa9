// A picture or a gallery for others: its page at the hub, or its page at Flickr; a gallery for one's own web page.

import { html, signal } from '/ui.js';
import { isWeb } from '/addresses.js';
import { copyText } from '/copying.js';
import { careful } from '/doing.js';
import { change, create } from '/session.js';
import { sheetHead } from '/sheet-head.js';
import { PORTFOLIOS } from '/portfolio/library.js';
import { said } from '/portfolio/sharing/words.js';

const BOX = { width: 900, height: 640 }; // of the frame, in CSS pixels

/** The markup for a page, with a gallery in a frame. */
function frameOf(link, title, { num, size }) {
  const plain = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<iframe src="${plain(`${link}?num=${num}&size=${size}`)}" title="${plain(title)}" width="${BOX.width}" `
    + `height="${BOX.height}" loading="lazy" style="border:0;max-width:100%"></iframe>`;
}

/** {dialog, open({portfolio, gallery, picture})}: `gallery` is {id, title}. */
export function shareSheet() {
  const wish = signal(null);
  const share = signal(null); // {id, link, kind} of the hub's, when it was made
  const told = signal(''); // of what was done last
  const num = signal(30);
  const size = signal('medium');
  const { doing, note } = careful();
  const base = ({ portfolio }) => `${PORTFOLIOS}/${encodeURIComponent(portfolio)}/shares`;
  const picture = () => wish()?.picture;
  const give = async (text, isLink) => {
    if (isLink && navigator.share) {
      await navigator.share({ title: picture()?.title ?? '', url: text }).catch(() => {}); // the reader has cancelled
      return;
    }
    await copyText(text);
    told.set(said.copied);
  };
  const make = (kind) => doing(async () => {
    const asked = wish.peek();
    const made = await create(base(asked), kind === 'gallery' ? { gallery: asked.gallery.id }
      : { picture: asked.picture.id });
    if (wish.peek() !== asked) return; // the sheet is another picture's by now
    told.set('');
    share.set({ ...made, kind });
    requestAnimationFrame(() => dialog.querySelector('.share-text')?.focus());
  });
  const takeBack = () => doing(async () => {
    const asked = wish.peek();
    await change('DELETE', `${base(asked)}/${encodeURIComponent(share.peek().id)}`);
    if (wish.peek() !== asked) return;
    told.set(said.takenBack);
    share.set(null);
  });
  const text = () => (share()?.kind === 'gallery'
    ? frameOf(share().link, wish().gallery.title, { num: num(), size: size() }) : share()?.link ?? '');
  const choices = () => (share()?.kind === 'gallery' ? html`<div class="row"><label>${said.number}<input type="number"
    min="1" max="30" .value=${num} @input=${({ target }) => num.set(Math.min(30, Math.max(1, Number(target.value)
    || 30)))}></label><label>${said.size}<select .value=${size} @change=${({ target }) => size.set(target.value)}>${
  Object.entries(said.sizes).map(([key, name]) => html`<option value=${key}>${name}</option>`)}</select></label></div>`
    : '');
  const made = () => (share() ? html`${choices}<p><input class="share-text" readonly aria-label=${
    share().kind === 'gallery' ? said.text : said.link} .value=${text} @focus=${({ target }) =>
  target.select()}></p><p class="row"><button class="button primary" type="button"
    @click=${() => doing(() => give(text(), share().kind !== 'gallery'))}>${() => (share()?.kind !== 'gallery'
  && navigator.share ? said.send : said.copy)}</button><button class="button" type="button" @click=${takeBack}>${
  said.takeBack}</button></p>` : html`<p class="row">
    <button class="button primary" type="button" disabled=${() => Boolean(picture()?.private)} @click=${() =>
  make('picture')}>${said.hub}</button>${() => (isWeb(picture()?.page) ? html`<button class="button" type="button"
      @click=${() => doing(() => give(picture().page, true))}>${said.source}</button>` : '')}<button class="button"
      type="button" hidden=${() => !wish()?.gallery?.id || wish().gallery.favourites} @click=${() =>
  make('gallery')}>${said.frame}</button></p>`);
  const dialog = html`<dialog class="share-sheet" aria-labelledby="share-title">
    ${sheetHead('share-title', said.title)}<p>${() => (share()?.kind === 'gallery' ? said.frameText : said.hubText)}</p>
    ${() => (picture()?.private ? html`<p class="note">${said.isPrivate}</p>` : '')}
    ${made}<p role="status">${told}</p>${note}</dialog>`.firstElementChild;
  const open = (next) => {
    told.set('');
    share.set(null);
    wish.set(next);
    dialog.showModal();
  };
  return { dialog, open };
}
