// A portfolio's name on the wall, what is kept of it on this device, and how far the hub is with its source.

import { computed, html } from '/ui.js';
import { careful } from '/doing.js';
import { why as wordsOf } from '/explain.js';
import { change } from '/session.js';
import { size } from '/sizes.js';
import { drawing, icons } from '/portfolio/icons.js';
import { reckon, wanted } from '/portfolio/keeping/reckoning.js';
import { PORTFOLIOS } from '/portfolio/library.js';
import { count, words } from '/portfolio/words.js';

/** The line beside a portfolio's name: {text, isWhole}. `sum` is the reckoning of its files. */
function keptLine(state, { files, kept, bytes, missing }) {
  const said = words.kept;
  if (files === 0) return { text: state === 'begins' ? said.begins : said.empty, isWhole: false };
  if (missing.length === 0) return { text: said.whole(size(bytes)), isWhole: true };
  if (state === 'whole' || state === 'empty') return { text: said.keeping(count(kept), count(files)), isWhole: false };
  const line = said[state];
  return { text: typeof line === 'string' ? line : line(count(kept), count(files)), isWhole: false };
}

const MANY_GONE = 'portfolio-many-gone'; // the hub removes so many only when it is told that they may go

const failure = (remove) => ({ title, picture, gallery, why }) => html`<li><strong>${title || picture}</strong> ${
  gallery ? `(${gallery})` : ''}: ${() => wordsOf(why, why?.text)} ${remove ? html`<button class="button danger
    plain" type="button" @click=${() => remove(picture)}>${words.view.removeYes}
    <span class="visually-hidden">${title || picture}</span></button>` : ''}</li>`;

const leftOut = ({ title, notice }) => html`<li><strong>${title}</strong>: ${() => wordsOf(notice, notice.text)}</li>`;

function syncOf(portfolio, again, remove) {
  const sync = () => portfolio().sync ?? {};
  const failed = () => sync().failed ?? [];
  const cut = () => (portfolio().galleries ?? []).filter(({ notice }) => notice);
  const line = () => {
    const { state, done = 0, left = 0, why } = sync();
    if (state === 'running') return words.sync.running(count(done), count(left));
    if (state === 'waiting') return words.sync.waiting(wordsOf(why, why?.text));
    return state === 'failed' ? words.sync.failed(wordsOf(why, why?.text)) : '';
  };
  return html`<div class="sync"><p role="status" aria-live=${() =>
    (sync().state === 'running' ? 'off' : null)} hidden=${() => !line()}>${line}</p>
    <progress hidden=${() => sync().state !== 'running' || !(sync().done + sync().left)} aria-label=${words.sync.now}
      max=${() => (sync().done + sync().left) || 1} value=${() => sync().done ?? 0}></progress>
    ${() => (sync().why?.code === MANY_GONE ? html`<p><button class="button" type="button" @click=${() =>
  again({ may_lose: true })}>${words.sync.mayGo}</button></p>` : '')}
    <details class="failed" hidden=${() => !cut()[0]}><summary>${() =>
  words.sync.cut(count(cut().length))}</summary><ul>${() => cut().map(leftOut)}</ul></details>
    <details class="failed" hidden=${() => !failed()[0]}><summary>${() =>
  words.sync.some(count(failed().length))}. ${words.sync.rest}</summary><ul>${() =>
  failed().map(failure(remove))}</ul><p><button class="button" type="button" @click=${() => again()}>${
  words.sync.again}</button></p></details></div>`;
}

/** The head of a portfolio; `portfolio` is a signal of it. */
export function portfolioHead(portfolio, { library, keeper, openKept, openOptions, openSent, openUploads }) {
  const { doing, atOnce, note } = careful();
  const { id } = portfolio.peek();
  const address = `${PORTFOLIOS}/${encodeURIComponent(id)}`;
  const again = (how) => doing(() => change('POST', `${address}/sync`, how));
  const isOwn = portfolio.peek().source?.kind === 'uploads';
  const remove = isOwn && ((picture) => doing(() =>
    change('DELETE', `${address}/pictures/${encodeURIComponent(picture)}`)));
  const files = computed(() => wanted(library.known().filter((one) => one.portfolio === id)));
  const sum = computed(() => (keeper.turn(), reckon(files(), keeper.rows)));
  const line = computed(() => keptLine(keeper.state(), sum()));
  return html`<header class="portfolio-head"><h2 id=${`portfolio-${id}`}>${() => portfolio().name}</h2>
    <p class="of">${() => portfolio().source?.of ?? ''}</p>
    <button class="kept" type="button" @click=${() => atOnce(openKept)} data-whole=${() => line().isWhole}>${() =>
  drawing(line().isWhole ? icons.check : icons.down)}<span>${() => line().text}</span></button>
    ${isOwn ? html`<button class="button head-add" type="button" @click=${() =>
  atOnce(openUploads)}>${drawing(icons.plus)}${words.more.upload}</button>` : ''}
    <button class="plate-key head-key" type="button" title=${words.more.send} aria-label=${() =>
  `${words.more.send}: ${portfolio().name}`} @click=${() => atOnce(openSent)}>${drawing(icons.send)}</button>
    <button class="plate-key head-key" type="button" title=${words.more.options} aria-label=${() =>
  `${words.more.options}: ${portfolio().name}`}
      @click=${() => atOnce(openOptions)}>${drawing(icons.options)}</button></header>${note}${
  syncOf(portfolio, again, remove)}`;
}
