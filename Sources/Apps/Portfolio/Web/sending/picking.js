// The galleries and pictures of a portfolio, to be chosen from.

import { html, signal } from '/ui.js';
import { isIn, numberOf, withGallery, withPicture } from '/portfolio/sending/choice.js';
import { said } from '/portfolio/sending/words.js';
import { count, words } from '/portfolio/words.js';

/** `choice` is a signal of what is chosen; `picturesOf(id)` gives a gallery's pictures, undefined while they come. */
export function picking(galleries, choice, picturesOf) {
  const opened = signal(null); // the id of the gallery whose pictures are shown
  const turn = (id) => opened.set(opened.peek() === id ? null : id);
  const picture = (gallery, all) => ({ id, title, sizes, private: isPrivate }, index) => html`<label
    class="send-one" title=${isPrivate ? words.view.private : title ?? ''}><img src=${sizes?.['320']?.url ?? ''}
    alt=${words.picture(title, count(index + 1), count(all.length))} loading="lazy"><input type="checkbox"
    .checked=${() => isIn(choice(), gallery, id)} @change=${({ target }) =>
  choice.set(withPicture(choice.peek(), gallery, id, target.checked, all))}>${isPrivate
    ? html`<span class="tag">${words.view.private}</span>` : ''}</label>`;
  const pick = (gallery) => {
    const { id, title, cover } = gallery;
    const all = () => picturesOf(id);
    const number = () => all()?.length ?? gallery.count; // pictures may come while the form is open
    const chosen = () => numberOf(choice(), { id, count: number() }, all());
    return html`<div class="send-pick"><label><span class="send-cover">${cover
      ? html`<img src=${cover.sizes?.['320']?.url ?? ''} alt="" loading="lazy">` : ''}<input type="checkbox"
      .checked=${() => chosen() > 0} .indeterminate=${() => choice()[id] !== true && chosen() > 0}
      @change=${() => choice.set(withGallery(choice.peek(), id, choice.peek()[id] !== true))}></span>
      <strong>${title}</strong></label><button class="button plain" type="button" aria-expanded=${() =>
  String(opened() === id)} @click=${() => turn(id)}>${() => (choice()[id] === true ? said.pictures(count(number()))
  : said.some(count(chosen()), count(number())))}</button></div>${() => (opened() === id && all()
    ? html`<div class="send-ones" role="group" aria-label=${title}>${all().map(picture(id, all()))}</div>` : '')}`;
  };
  return html`<div class="send-picks">${galleries.map(pick)}</div>`;
}
