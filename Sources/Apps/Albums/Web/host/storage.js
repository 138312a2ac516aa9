// The room that the album takes and whose pictures that is, and the originals in one file.

import { computed, html } from '/ui.js';
import { size } from '/sizes.js';
import { count, words } from '/albums/host/words.js';
import { drawing, icons } from '/albums/icons.js';

const NAMED = 3; // people with a line of their own

/** The largest shares, and one for all others: [{name, bytes, videos, others}]. */
export function shares(by) {
  const all = [...by].sort((one, other) => other.bytes - one.bytes);
  const rest = all.slice(NAMED);
  if (rest.length < 2) return all;
  return [...all.slice(0, NAMED), { others: rest.length, bytes: rest.reduce((sum, one) => sum + one.bytes, 0) }];
}

const sum = (by, key) => by.reduce((total, one) => total + (one[key] ?? 0), 0);

const label = (one) => {
  if (one.others) return words.others(count(one.others));
  return `${one.name ?? words.someone}${one.videos ? `, ${words.videos(count(one.videos), one.videos)}` : ''}`;
};

export function storageCard(hosting) {
  const by = computed(() => hosting.storage()?.by ?? []);
  const part = (one, index) => {
    const it = html`<i data-k=${index + 1}></i>`.firstElementChild;
    it.style.flexGrow = String(one.bytes);
    return it;
  };
  const row = (one, index) => html`<li><i data-k=${index + 1}></i><span class="grow">${label(one)}</span><span
    class="figure">${size(one.bytes)}</span></li>`;
  const near = () => {
    const { bytes, limit } = hosting.storage();
    return limit && bytes > limit * 0.9 ? html`<p class="note">${words.nearlyFull(size(limit))}</p>` : '';
  };
  return html`${() => (hosting.storage() ? html`<section class="card" aria-labelledby="storage">
    <header class="card-head"><h2 id="storage">${words.storage}</h2><span class="quiet small">${
  words.free(size(hosting.storage().free ?? 0))}</span></header>
    <p class="verdict">${size(hosting.storage().bytes)} <small class="quiet">${words.pictures(count(sum(by(),
  'pictures')))}${sum(by(), 'videos') ? `, ${words.videos(count(sum(by(), 'videos')), sum(by(), 'videos'))}` : ''}
    </small></p>${near()}
    <div class="stack" aria-hidden="true">${shares(by()).map(part)}</div>
    <ul class="list shares">${shares(by()).map(row)}</ul></section>` : '')}`;
}

/** The originals in one file: all, or those that are chosen in the gallery after `choose()`. */
export function zipCard(album, hosting, choose) {
  const zip = computed(() => hosting.storage()?.zip ?? { files: 0, bytes: 0, hidden: 0 });
  const copied = () => {
    const { copied_to: to, copy_fault: fault } = hosting.storage() ?? {};
    if (fault) return html`<p class="note" data-kind="bad" role="status">${words.notCopied(to)}</p>`;
    return to ? html`<p class="copied small">${drawing(icons.check)}<span>${words.copied(to)}</span></p>` : '';
  };
  const told = () => {
    const { files, bytes, hidden } = zip();
    const rest = hidden ? ` ${words.zipHidden(count(hidden), hidden)}` : '';
    return `${words.zip(count(files), files, size(bytes))}${rest}`;
  };
  // Up to what is the last one now: a cut download goes on while more come, and has what is told here.
  const address = () => album.address(`/zip${zip().last ? `?until=${zip().last}` : ''}`);
  const isAny = computed(() => zip().files > 0);
  return html`${() => (isAny() ? html`<section class="card" aria-labelledby="zip"><h2 id="zip">${words.home}</h2>
    <p class="quiet">${told}</p><div class="row"><a class="button primary" href=${address} download>${
  drawing(icons.download)}${words.downloadAll}</a><button class="button plain" type="button" @click=${choose}>${
  words.choose}</button></div>${copied}</section>` : '')}`;
}
