// The card about private messages: makes a key, hands it to other devices as a QR code or a link, takes one that was
// handed over, replaces it, forgets it, and revokes it. Keys never go to the hub: the code is drawn here, and the part
// of a link behind the # stays in the browser.

import { computed, effect, html, signal } from '/ui.js';
import { ownAddress } from '/own-address.js';
import { change, isInside, session } from '/session.js';
import { ask } from '/people/ask.js';
import { button, copyButton } from '/people/link-panel.js';
import { careful } from '/doing.js';
import { KeyRefused, keyOfRing, withKey, withoutKey, withRevoked } from '/bells/key-ring.js';
import { lookAgain } from '/bells/opened.js';
import { changeRing, keptRing } from '/bells/private-keys.js';
import { offered } from '/bells/offered.js';
import { canSeal, linkOf, newKey, proofOf, toBase64url } from '/bells/sealed.js';
import { privateWords as words } from '/bells/private-words.js';

const ring = signal(undefined);

function handed(key) {
  const link = signal('');
  const picture = signal(undefined);
  ownAddress().then(async (own) => {
    link.set(linkOf(key, own));
    picture.set(await (await import('/code-picture.js')).pictureOf(link.peek()));
  }).catch((error) => {
    console.error(error);
    picture.set(null);
  });
  return html`<div class="private-handed">${() => (picture() ? html`<img class="private-qr" width="240" height="240"
      src=${picture} alt=${words.qr}>` : picture() === null ? html`<p class="note">${words.noQR}</p>` : '')}
    <p class="small">${words.scan}</p>${() => (link() ? html`<p class="row">${copyButton(link(), words.copy)}</p>
    <p class="small private-link">${link()}</p>` : '')}</div>`;
}

export function privateCard() {
  const isShown = signal(false);
  const me = computed(() => session()?.person?.id);
  effect(() => { // somebody else may have signed in, in another tab
    me();
    isShown.set(false);
    keptRing().then(ring.set);
  });
  const { doing, inTurn, note } = careful((error) => (error instanceof KeyRefused ? words.refused[error.why] : null));
  const save = (act, run = inTurn) => run(async () => {
    ring.set(await changeRing(act));
    isShown.set(false);
    lookAgain();
  });
  const sure = async (title, text, yes, act) => {
    if (await ask({ title, text, yes, danger: true })) act();
  };
  const make = () => save((now) => withKey(now, newKey()), doing); // one key, however often it is pressed
  const rotate = async () => {
    if (await ask({ title: words.rotateTitle, text: words.rotateText, yes: words.rotate })) make();
  };
  const take = () => {
    const { key } = offered.peek();
    offered.set(null);
    save((now) => withKey(now, key));
  };
  const forget = (id) => sure(words.forgetTitle(id), words.forgetText, words.forget,
    () => save((now) => withoutKey(now, id)));
  const revoke = (id) => sure(words.revokeTitle(id), words.revokeText, words.revoke, () => save(async (now) => {
    const proof = await proofOf(keyOfRing(now, id));
    await change('POST', '/api/v1/bells/revoked-keys', { proof: toBase64url(proof) });
    return withRevoked(now, id);
  }));
  const offer = () => {
    const it = offered();
    if (!it) return '';
    if (!it.key) return html`<p class="note" role="alert">${words.bad}</p>`;
    return html`<div class="note" role="alert"><p><strong>${words.offered(it.id)}</strong> ${words.offeredText}</p>
      <p class="row">${button(words.take, take, 'primary')}
        ${button(words.decline, () => offered.set(null))}</p></div>`;
  };
  const older = ({ id }) => html`<li><code>${id}</code> ${button(words.forget, () => forget(id), 'plain tight', id)}
    ${button(words.revoke, () => revoke(id), 'plain tight', id)}</li>`;
  const state = () => {
    const now = ring();
    if (!canSeal()) return html`<p>${words.insecure}</p>`;
    if (!now || !isInside()) return '';
    if (!now.keys.length) return html`<p>${words.about}</p><p class="row">${button(words.make, make)}</p>`;
    const others = now.keys.filter(({ id }) => id !== now.current).reverse();
    const mine = now.current ? html`<p>${words.have(now.current)} <span class="quiet">${words.kept}</span></p>
      <p class="row">${() => button(isShown() ? words.hide : words.hand, () => isShown.set(!isShown.peek()))}
        ${button(words.rotate, rotate, 'plain')} ${button(words.revoke, () => revoke(now.current), 'plain')}</p>
      ${() => (isShown() ? handed(keyOfRing(now, now.current)) : '')}`
      : html`<p>${words.none}</p><p class="row">${button(words.make, make)}</p>`;
    return html`${mine}${others.length ? html`<h3 class="small">${words.older}</h3><ul class="private-keys">${
      others.map(older)}</ul>` : ''}`;
  };
  return html`<section class="card private-card" aria-labelledby="private-title"><h2 id="private-title">${
    words.title}</h2>${offer}${state}${note}</section>`;
}
