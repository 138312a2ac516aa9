// The pictures and galleries of a portfolio that everybody may see who has their address.

import { html } from '/ui.js';
import { said } from '/portfolio/sending/words.js';

/** The list; `pictureOf(id)` gives {title, address} of a picture's small file, `titleOf(id)` a gallery's title. */
export function sharedList(shares, { pictureOf, titleOf, copy, takeBack }) {
  const one = (share) => {
    const picture = share.picture && pictureOf(share.picture);
    const title = share.gallery ? titleOf(share.gallery) : picture?.title ?? said.sharedPicture;
    const named = (word) => html`${word}<span class="visually-hidden">: ${title}</span>`;
    return html`<li class="send-mark">${picture?.small ? html`<img src=${picture.small} alt="" loading="lazy">` : ''}
      <span class="send-shared"><strong>${title}</strong><small>${share.gallery ? said.sharedGallery
  : said.sharedPicture}</small></span><button
      class="button" type="button" @click=${() => copy(share.link, said.copied)}>${named(said.copy)}</button><button
      class="button" type="button" @click=${() => takeBack(share)}>${named(said.takeBack)}</button></li>`;
  };
  return shares.length ? html`<h3>${said.shared}</h3><p class="quiet">${said.sharedText}</p><ul class="list">${
    shares.map(one)}</ul>` : '';
}
