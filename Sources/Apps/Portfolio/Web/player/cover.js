// The cover, like a book's: a picture, who it is from, a title, a letter.

import { effect, html } from '/ui.js';
import { isoHere } from '/words.js';
import { colourOf } from '/pictures/thumbhash.js';
import { different } from '/portfolio/player/book.js';
import { count, dayOf, words } from '/portfolio/player/words.js';

/** How much of it is on this device, in words. */
function keptLine(book, keeping) {
  const all = different(book);
  if (!keeping) return words.inFile(count(all));
  const { kept, all: files } = keeping.sum();
  const state = keeping.state();
  if (state === 'off' || !files) return words.pictures(count(all));
  if (kept >= files) return words.kept(count(all));
  return (state === 'full' ? words.full : words.keeping)(count(kept), count(files));
}

const MEGABYTE = 1_000_000;

/** On mobile data the large ones come when somebody asks for them. */
const mobileKey = (keeping) => () => (keeping?.state() === 'mobile' ? html`<button class="plain-key" type="button"
  @click=${() => keeping.goMobile()}>${() => words.mobile(count(Math.ceil(keeping.sum().missing / MEGABYTE)))}</button>`
  : '');

/** The element; it is seen while `isShown()`. */
export function cover({ book, images, keeping, isShown, told }) {
  const image = Object.assign(new Image(), { alt: '', decoding: 'async', fetchPriority: 'high' });
  let shown = '';
  const show = () => {
    const first = book.peek().pictures[0];
    const key = first ? `${first.id} ${first.version}` : '';
    if (!first || key === shown) return;
    shown = key;
    image.parentElement?.style.setProperty('background-color', colourOf(first));
    images.show(image, first).then((isWhole) => {
      image.classList.add('is-there');
      return isWhole;
    }, () => false).then((isWhole) => { if (!isWhole && shown === key) shown = ''; });
  };
  effect(() => {
    book();
    show();
  });
  images.addEventListener('again', show);
  const until = () => (book().until ? words.until(dayOf(isoHere(new Date(book().until)))) : '');
  const line = () => [keptLine(book(), keeping), until()].filter(Boolean).join(' · ');
  return html`<section class="cover" aria-labelledby="cover-title" hidden=${() => !isShown()}>
    <div class="cover-picture">${image}</div>
    <div class="cover-text">
      <p class="cover-by">${() => book().from}</p>
      <h1 id="cover-title">${() => book().title}</h1>
      <p class="cover-letter" hidden=${() => !book().text}>${() => book().text}</p>
      <div class="cover-go"><a class="plate-button" href="#/all">${words.see}</a><p role="status">${line}</p>${
  mobileKey(keeping)}</div>
      ${told}
    </div></section>`.firstElementChild;
}
