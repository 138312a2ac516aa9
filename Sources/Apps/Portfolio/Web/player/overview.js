// All pictures, gallery by gallery, in their own proportions; beneath them one's marks. Flickr's are shown in turns.

import { effect, html, signal } from '/ui.js';
import { drawing } from '/portfolio/icons.js';
import { nameOf, turnOf } from '/portfolio/player/book.js';
import { icons } from '/portfolio/player/icons.js';
import { Thumbs } from '/portfolio/player/images.js';
import { marksPanel } from '/portfolio/player/panel.js';
import { count, words } from '/portfolio/player/words.js';

const MARKED = ['favourite', 'remark', 'large'];

/** Small signs on a thumbnail's edge for what is marked. */
export function markThumb(key, picture, seen) {
  const has = MARKED.filter((kind) => seen.has(`${picture.id}/${kind}`));
  if (key.dataset.marked === has.join(' ')) return;
  key.dataset.marked = has.join(' ');
  key.querySelector('.signs')?.remove();
  if (!has.length) return;
  const signs = Object.assign(document.createElement('span'), { className: 'signs' });
  signs.append(...has.map((kind) => drawing(icons[kind])));
  key.append(signs);
}

export function overview({ book, images, marks, isShown, open, told }) {
  const thumbs = new Thumbs(images);
  const at = signal(0); // the first picture of the turn that is seen
  const box = document.createElement('div');
  const keys = new Map();
  const isOnly = signal(false); // what is marked, and nothing else
  const marked = () => new Set([...marks.seen().values()].map(({ picture }) => picture)).size;
  effect(() => { box.className = isOnly() && marked() ? 'galleries only-marked' : 'galleries'; });
  effect(() => {
    const now = book();
    const [first, end] = turnOf(now, Math.min(at(), now.pictures.length - 1));
    thumbs.clear();
    keys.clear();
    box.replaceChildren(...now.galleries.map((gallery) => {
      const [from, to] = [Math.max(first, gallery.first), Math.min(end, gallery.first + gallery.count)];
      if (from >= to) return '';
      const rows = document.createElement('div');
      rows.className = 'justified';
      for (let place = from; place < to; place += 1) {
        const picture = now.pictures[place];
        const key = thumbs.make(picture, `${nameOf(picture, place, words)}, ${words.of(place + 1,
          now.pictures.length)}`, () => open(place));
        keys.set(key, picture);
        rows.append(key);
      }
      return html`<section><h2>${gallery.title} <small>${count(gallery.count)}</small></h2>${rows}</section>`;
    }));
  });
  effect(() => {
    book();
    at();
    const seen = marks.seen();
    for (const [key, picture] of keys) markThumb(key, picture, seen);
  });
  const turning = () => {
    const { pictures, turn } = book();
    if (pictures.length <= turn) return '';
    const [first, end] = turnOf(book(), at());
    const go = (place) => () => {
      at.set(place);
      scrollTo(0, 0);
    };
    return html`<nav class="turning"><button class="plate-key" type="button" aria-label=${words.turnBack}
      disabled=${first === 0} @click=${go(first - turn)}>${drawing(icons.left)}</button><p>${words.turn(
      count(first + 1), count(end), count(pictures.length))}</p><button class="plate-key" type="button"
      aria-label=${words.turnOn} disabled=${end === pictures.length} @click=${go(end)}>${drawing(icons.right)}</button>
      </nav>`;
  };
  const element = html`<section class="overview" aria-labelledby="overview-title" hidden=${() => !isShown()}>
    <header><a class="plate-key" href="#/" aria-label=${words.cover}>${drawing(icons.back)}</a><div>
      <h1 id="overview-title">${() => book().title}</h1><p>${() => book().from}</p></div>
      <button class="plain-key" type="button" hidden=${() => !marked()} aria-pressed=${() => String(isOnly())}
        @click=${() => isOnly.set(!isOnly.peek())}>${() => words.only(count(marked()))}</button></header>
    ${told}${box}${turning}${marksPanel({ book, marks })}
    <p class="notice" hidden=${() => !book().isFlickr}>${() =>
  (book().photographer ? `${book().photographer}, Flickr. ` : '')}${words.notice}</p></section>`.firstElementChild;
  /** Shows the turn that a picture is in, and the picture's thumbnail, where one goes on with the keyboard. */
  const reveal = (place) => {
    at.set(turnOf(book.peek(), place)[0]);
    requestAnimationFrame(() => {
      const key = [...keys.keys()].at(place - at.peek());
      key?.scrollIntoView({ block: 'center' });
      key?.focus({ preventScroll: true });
    });
  };
  return { element, reveal };
}
