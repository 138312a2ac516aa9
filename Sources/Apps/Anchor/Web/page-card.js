// This page as a watcher: with the phone's own receiver, as long as it is open. It says plainly what ends with it.

import { computed, html } from '/ui.js';
import { isRefused } from '/awake.js';
import { drawing, icons } from '/anchor/icons.js';
import { status, timeOf } from '/anchor/model.js';
import { isMuted, sound } from '/anchor/sound.js';
import { forgetGap, gap, here, switchHere, trouble } from '/anchor/watching.js';
import { words } from '/anchor/words.js';

/** Others that go on when this page is closed. */
const others = computed(() => (status()?.sources ?? []).filter(({ kind, state }) => kind !== 'page' && state === 'ok'));

/** The time for which nobody looked, or this page did not. */
export const gapNote = () => {
  if (!gap()) return '';
  const { from, to, watched } = gap();
  const span = words.span(Math.round(to - from));
  return html`<div class="note" data-kind=${watched ? 'info' : 'bad'} role="alert"><p><strong>${watched
    ? words.pageSlept(span) : words.nobodyLooked(span)}</strong> ${words.fromTo(timeOf(from), timeOf(to))} ${watched
  ? words.othersLooked : words.watchesAgain}</p><button class="button plain" type="button" @click=${forgetGap}>${
  words.understood}</button></div>`;
};

export function pageCard() {
  const says = () => {
    if (trouble()) return words.troubles[trouble()] ?? trouble();
    if (!here().on) return words.pageOff;
    return words.pageOn(others().length);
  };
  return html`<section class="card page-watch" aria-labelledby="page-title"><header class="card-head"><h2
    id="page-title">${words.thisPage}</h2><span class="tag" data-kind=${() =>
    (here().on && !trouble() ? 'good' : null)}>${() =>
  (here().on && !trouble() ? words.watches : words.ringsOnly)}</span></header>
    <label class="switch"><span>${words.watchHere}</span><input type="checkbox" role="switch"
      .checked=${() => here().on} @change=${({ target }) => switchHere(target.checked)}></label>
    <p class="small" data-kind=${() => (trouble() ? 'bad' : null)} role="status">${() => says()}</p>
    ${() => (here().on && isRefused() ? html`<p class="small" data-kind="bad">${words.screenGoes}</p>` : '')}
    ${() => (isMuted() ? html`<div class="note" data-kind="bad" role="alert"><p>${words.muted}</p><button
      class="button" type="button" @click=${sound.allow}>${words.allowSound}</button></div>` : '')}
    ${() => (here().on ? html`<p class="small ends">${drawing(icons.warning)}<span>${others().length
    ? words.closeOthers : words.closeAlone}</span></p>` : '')}</section>`;
}
