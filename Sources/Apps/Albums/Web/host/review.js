// The queue: one picture, two answers, and ten seconds to take one back.

import { computed, effect, ending, html, signal } from '/ui.js';
import { careful } from '/doing.js';
import { size } from '/sizes.js';
import { colourOf } from '/pictures/thumbhash.js';
import { momentOf } from '/albums/album/gallery/groups.js';
import { timeOf } from '/albums/album/gallery/words.js';
import { latest, UNDO } from '/albums/host/undo.js';
import { words } from '/albums/host/words.js';
import { drawing, icons } from '/albums/icons.js';

const NEXT = 6; // pictures of the queue that are seen ahead

const someone = (picture) => picture.by?.name ?? words.someone;

/** A picture in the size at hand, on its own colour. */
export function shot(picture, isLarge, alt = '') {
  const { 320: small, 1600: large, preview } = picture.sizes ?? {};
  const source = isLarge ? large ?? small ?? preview : small ?? preview ?? large;
  const it = html`<span class="pic">${source ? html`<img src=${source} alt=${alt} decoding="async">`
    : html`<span class="pic-none">${words.notYet}</span>`}</span>`.firstElementChild;
  it.style.backgroundColor = colourOf(picture);
  return it;
}

function large(picture) {
  if (picture.kind === 'video' && picture.video) {
    return html`<video class="pic" src=${picture.video} controls playsinline poster=${
      picture.sizes?.[1600] ?? picture.sizes?.[320] ?? null}></video>`;
  }
  return shot(picture, true, words.pictureBy(picture.by?.name));
}

const about = (one) => [timeOf(momentOf(one)), words.kinds[one.kind] ?? words.kinds.other,
  one.bytes ? size(one.bytes) : ''].filter(Boolean).join(', ');

/** The answer that can still be taken back, for as long as it can. */
function undoing(hosting, inTurn) {
  const now = signal(Date.now());
  const last = computed(() => latest(hosting.queue(), now()));
  effect(() => {
    const answer = last();
    if (!answer) return;
    const timer = setTimeout(() => now.set(Date.now()), answer.at + UNDO - Date.now() + 20);
    ending(() => clearTimeout(timer));
  });
  const undo = () => inTurn(async () => {
    const answer = latest(hosting.queue.peek(), Date.now());
    if (answer) await hosting.undo(answer.picture);
  });
  const view = html`<p class="review-undo" role="status">${() => {
    if (!last()) return '';
    const { picture, state } = last();
    return html`<span>${words.answered[state](picture.by?.name)}</span><button class="button plain" type="button"
      @click=${undo}>${drawing(icons.undo)}${words.undo} <kbd>U</kbd></button>`;
  }}</p>`;
  return { undo, view };
}

/** Its keys act while it has the focus. */
export const focusReview = () => document.querySelector('.review')?.focus({ preventScroll: true });

export function reviewPart(album, hosting) {
  const { doing, inTurn, note } = careful();
  const waiting = computed(() => hosting.queue().waiting);
  const first = computed(() => waiting()[0]);
  // Whoever is quick need not wait for the hub; the answer is to the picture that was there when it was given.
  const answer = (state) => () => {
    const picture = first.peek();
    inTurn(async () => { if (picture && picture.id === first.peek()?.id) await hosting.answer(picture, state); });
  };
  const { undo, view } = undoing(hosting, inTurn);
  const keys = { h: answer('hidden'), Enter: answer('shown'), u: undo };
  const pressed = (event) => {
    const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const isOwn = event.key === 'Enter' && event.target.closest('button, video');
    if (!act || isOwn || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };
  const showAll = () => doing(() => hosting.showAll());
  const one = () => html`<div class="review-one"><h2 class="visually-hidden">${() =>
    words.waitingOf(waiting().length)}</h2><figure>${() => large(first())}</figure>
    <div class="review-bar"><p><strong>${() => someone(first())}</strong><span class="quiet">${() => about(first())}
      </span></p><div class="review-keys">
      <button class="button danger tall" type="button" @click=${answer('hidden')}>${drawing(icons.hide)}${
  words.hide} <kbd>H</kbd></button>
      <button class="button primary tall" type="button" @click=${answer('shown')}>${drawing(icons.check)}${
  words.show} <kbd>↵</kbd></button></div></div></div>
    <ol class="review-rest" aria-label=${words.next}>${() => waiting().slice(0, NEXT).map((picture, index) =>
    html`<li aria-current=${index === 0 ? 'true' : null}>${shot(picture, false, words.pictureBy(picture.by?.name))}
      </li>`)}</ol>
    <div class="row between"><p class="small quiet">${words.reviewed}</p><button class="button plain" type="button"
      hidden=${() => waiting().length < 2} @click=${showAll}>${() => words.showAll(waiting().length)}</button></div>`;
  const none = () => html`<div class="empty">${album.details()?.options?.review ? words.nothingWaits
    : words.noReview}</div>`;
  const isEmpty = computed(() => waiting().length === 0);
  // Its keys act within it alone: one that is meant for something else shows nobody a picture.
  const part = html`<section class="review" tabindex="-1" aria-label=${words.waiting} @keydown=${pressed}>${note}${
    view}${() => (isEmpty() ? none() : one())}</section>`.firstElementChild;
  requestAnimationFrame(() => { if (document.activeElement === document.body) focusReview(); });
  return part;
}
