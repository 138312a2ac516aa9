// One picture, with its caption, the marks and the others beneath it. A tap on it leaves the picture alone.

import { computed, effect, ending, html, listening, signal } from '/ui.js';
import { saveFile } from '/saving.js';
import { drawing, key } from '/portfolio/icons.js';
import { fileName, linesOf, nameOf, savedSize, turnOf } from '/portfolio/player/book.js';
import { icons } from '/portfolio/player/icons.js';
import { Thumbs } from '/portfolio/player/images.js';
import { REMARK } from '/portfolio/player/marks-rules.js';
import { markThumb } from '/portfolio/player/overview.js';
import { marksLine } from '/portfolio/player/panel.js';
import { openStage } from '/portfolio/player/stage.js';
import { count, dayOf, words } from '/portfolio/player/words.js';

const isAddress = (text) => /^https?:\/\//.test(text ?? '');

/** The pictures beneath the large one; those of one turn. */
function filmstrip({ book, images, marks, place, isShown, go }) {
  const strip = html`<div class="filmstrip" role="group" aria-label=${words.strip}></div>`.firstElementChild;
  const thumbs = new Thumbs(images, strip);
  const shown = signal([]);
  let [before, range] = [null, ''];
  effect(() => {
    const now = book();
    if (!isShown()) return;
    const [first, end] = turnOf(now, place());
    if (before === now && range === `${first} ${end}`) return;
    [before, range] = [now, `${first} ${end}`];
    thumbs.clear();
    const keys = now.pictures.slice(first, end).map((picture, index) => [thumbs.make(picture,
      nameOf(picture, first + index, words), () => go(first + index)), picture, first + index]);
    strip.replaceChildren(...keys.map(([one]) => one));
    shown.set(keys);
  });
  effect(() => {
    const seen = marks.seen();
    for (const [one, picture] of shown()) markThumb(one, picture, seen);
  });
  effect(() => {
    const now = place();
    for (const [one, , at] of shown()) {
      if (at === now) one.setAttribute('aria-current', 'true');
      else one.removeAttribute('aria-current');
    }
    const current = strip.querySelector('[aria-current]');
    if (isShown() && current) {
      strip.scrollLeft = current.offsetLeft + current.offsetWidth / 2 - strip.clientWidth / 2;
    }
  });
  return strip;
}

/** The remark and the wish for a large one. `drafts` has what is typed and not saved yet, by pictures' ids. */
function remarkForm({ marks, picture, isOpen, drafts, close }) {
  const mark = (kind) => marks.seen().get(`${picture()?.id}/${kind}`);
  const field = html`<textarea id="say" name="say" rows="2" maxlength=${REMARK}></textarea>`.firstElementChild;
  const remark = computed(() => JSON.stringify([picture()?.id, mark('remark')?.text ?? '']));
  effect(() => { // not while one types, when another mark changes
    const [id, text] = JSON.parse(remark());
    field.value = drafts.get(id) ?? text;
  });
  field.addEventListener('input', () => {
    const [id, text] = JSON.parse(remark.peek());
    if (field.value === text) drafts.delete(id);
    else drafts.set(id, field.value);
  });
  const save = (event) => {
    event.preventDefault();
    drafts.delete(picture.peek().id);
    marks.set({ picture: picture.peek().id, kind: 'remark', text: field.value.trim() });
    close();
  };
  const wish = ({ target }) => marks.set({ picture: picture.peek().id, kind: 'large', isOn: target.checked });
  return html`<form class="remark" id="remark" hidden=${() => !isOpen()} @submit=${save}>
    <label for="say" class="unseen">${words.remarkOn}</label>${field}
    <div class="remark-row"><label class="check"><input type="checkbox" .checked=${() => Boolean(mark('large'))}
      @change=${wish}> ${words.large}</label><button class="plate-button small-plate">${words.save}</button></div>
    </form>`;
}

export function viewer({ book, images, marks, place, isShown, go, leave }) {
  const isBare = signal(false);
  const isOpen = signal(false);
  const isUnsaved = signal(false); // the picture that is shown could not be had
  const drafts = new Map();
  const hasFilms = images.source.kind === 'hub';
  const picture = { peek: () => book.peek().pictures[place.peek()] };
  const current = Object.assign(() => book().pictures[place()], picture);
  const box = document.createElement('div');
  box.className = 'stage';
  let swipe = null;
  let shownBook = null;
  const close = () => {
    swipe?.destroy();
    swipe = null;
  };
  ending(close); // a PIN that is asked for once more makes another viewer
  effect(() => {
    const now = book();
    if (!isShown() || !now.pictures.length) return close();
    if (swipe && shownBook !== now) close();
    shownBook = now;
    const at = place();
    if (!swipe) {
      swipe = openStage(box, now.pictures, at, { images, hasFilms, changed: go,
        tapped: () => isBare.set(!isBare.peek()) });
    } else if (swipe.currIndex !== at) swipe.goTo(at);
  });
  effect(() => {
    place();
    isUnsaved.set(false);
    isOpen.set(drafts.has(current.peek()?.id));
  });
  const plate = () => (current() ? linesOf(current(), dayOf) : { title: '', rest: [] });
  const has = (kind) => () => marks.seen().has(`${current()?.id}/${kind}`);
  const toggle = (kind) => marks.set({ picture: current.peek().id, kind,
    isOn: !marks.seen.peek().has(`${current.peek().id}/${kind}`) });
  const remark = () => {
    isOpen.set(!isOpen.peek());
    if (isOpen.peek()) setTimeout(() => element.querySelector('textarea').focus(), 0);
  };
  const closeRemark = () => {
    isOpen.set(false);
    element.querySelector('[aria-controls=remark]').focus();
  };
  const sizeToSave = () => savedSize(current() ?? {}, book(), hasFilms);
  const save = async () => {
    const one = current.peek();
    const name = nameOf(one, place.peek(), words);
    isUnsaved.set(false);
    const file = await images.source.file(one, savedSize(one, book.peek(), hasFilms)).catch(() => null);
    if (file) await saveFile(new File([file], fileName(name, file.type), { type: file.type }));
    else if (current.peek()?.id === one.id) isUnsaved.set(true);
  };
  const step = (by) => {
    const all = book.peek().pictures.length;
    go((place.peek() + by + all) % all);
  };
  listening(window, ['keydown'], (event) => {
    if (!isShown.peek() || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest?.('textarea, input')) {
      if (event.key === 'Escape') closeRemark();
      return;
    }
    if (event.key === 'Escape') leave();
    else if (event.key === 'f' || event.key === 'F') toggle('favourite');
    else if (event.key === 'r' || event.key === 'R') remark();
    else if (event.key === 'h' || event.key === 'H') isBare.set(!isBare.peek());
    else return;
    event.preventDefault();
  });
  const page = () => (isAddress(current()?.page) ? html`<a class="plate-key" href=${current().page} target="_blank"
    rel="noreferrer" aria-label=${words.page} title=${words.page}>${drawing(icons.page)}</a>` : '');
  const element = html`<section class=${() => `viewer${isBare() ? ' is-bare' : ''}`} aria-label=${words.viewer}
    hidden=${() => !isShown()}>${box}
    <div class="viewer-plate">
      <div class="plate-text" aria-live="polite"><h2>${() => plate().title || current()?.galleryTitle || ''}</h2>
        <p>${() => plate().rest.map(({ text }) => text).join(' · ')}</p></div>
      <div class="plate-keys"><p class="plate-count">${() => words.of(count(place() + 1),
  count(book().pictures.length))}</p><span class="beside">${key(icons.left, words.previous, () => step(-1))}${key(
  icons.right, words.next, () => step(1))}</span>${key(icons.favourite, words.favourite, () => toggle('favourite'),
  has('favourite'))}<button class="plate-key" type="button" aria-label=${words.remark} title=${words.remark}
        aria-expanded=${() => String(isOpen())} aria-controls="remark" data-has=${() => has('remark')()
  || has('large')()} @click=${remark}>${drawing(icons.remark)}</button>${() => (book().download === 'none' ? ''
  : key(icons.down, sizeToSave() === 'original' ? words.original : words.download, save))}${page}<a
        class="plate-key" href="#/all" aria-label=${words.back} title=${words.back}>${drawing(icons.all)}</a></div>
      ${remarkForm({ marks, picture: current, isOpen, drafts, close: closeRemark })}
      <p class="offline-line" role="status" hidden=${() => marks.state() === 'sent' || !marksLine({ book, marks })}>${
  () => marksLine({ book, marks })}</p>
      <p class="offline-line" role="status" hidden=${() => !isUnsaved()}>${words.unsaved}</p>
    </div>${filmstrip({ book, images, marks, place, isShown, go })}</section>`.firstElementChild;
  return element;
}
