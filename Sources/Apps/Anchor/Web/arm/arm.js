// "Before the night": how far she may go, the night that these settings would have made, and who would wake.

import { computed, effect, element, html, signal } from '/ui.js';
import { beginPage } from '/navigation.js';
import { startLive, tellUsable } from '/live.js';
import { session } from '/session.js';
import { drill } from '/anchor/arm/drill-card.js';
import { moreCard } from '/anchor/arm/more-card.js';
import { placeCard } from '/anchor/arm/place-card.js';
import { replayCard } from '/anchor/arm/replay-card.js';
import { warnings } from '/anchor/arm/warnings.js';
import { zoneCard } from '/anchor/arm/zone-card.js';
import { words } from '/anchor/arm/words.js';
import { careful } from '/doing.js';
import { editing } from '/anchor/editing.js';
import { drawing, icons } from '/anchor/icons.js';
import { arm, followAnchor, settings, status, tick, whenOf } from '/anchor/model.js';
import { followNight, nightAlarm } from '/anchor/night.js';
import { startWatching } from '/anchor/watching.js';

const isArmed = computed(() => Boolean(status()?.armed));

function go(edit, silentOnes) {
  const { doing, note, isBusy } = careful();
  const warned = signal([]);
  const start = () => {
    const wrong = document.querySelector('anchor-arm [aria-invalid="true"]');
    if (wrong) { // the number before it would be armed without a word
      wrong.closest('details')?.setAttribute('open', '');
      return wrong.focus();
    }
    return doing(async () => {
      await edit.settle();
      const first = await arm();
      warned.set(first);
      if (!first.length) location.assign('/anchor');
    });
  };
  const said = () => {
    const silent = silentOnes();
    if (warned().length) {
      return html`<p class="small" role="status"><strong>${words.armedBut}</strong> ${warned().map(
        ({ kind, name, person }) => warnings[kind]?.(name ?? person) ?? '').join(' ')}</p>`;
    }
    if (isArmed()) return html`<p class="small">${words.isArmed}</p>`;
    if (!silent.length) return html`<p class="small">${words.readyToArm}</p>`;
    return html`<p class="small"><strong>${words.didNotAnswer(silent.join(', '))}</strong></p>`;
  };
  const key = () => (isArmed() ? html`<a class="button wet" href="/anchor">${words.toWatch}</a>`
    : html`<button class="button primary wet" type="button" aria-busy=${() => isBusy() || null} @click=${start}>${
      drawing(icons.eye)}${words.startWatch}</button>`);
  return html`<div class="arm-go"><div>${said}${note}</div>${key}</div>`;
}

const nothing = () => html`<section class="card"><p class="empty">${words.dropFirst}</p>
  <a class="button primary wet" href="/anchor">${drawing(icons.anchor)}${words.toDrop}</a></section>`;

function all() {
  const { inTurn, note } = careful();
  const edit = editing(inTurn);
  const { card, silentOnes } = drill();
  return html`<div class="arm-main arm-side">${zoneCard(edit)}${placeCard(edit)}${note}</div>
    <div class="arm-side">${replayCard(edit)}${card}${moreCard(edit)}</div>${go(edit, silentOnes)}`;
}

element('anchor-arm', () => {
  beginPage(() => words.beforeNight);
  tick();
  followNight();
  followAnchor();
  startLive();
  startWatching();
  effect(() => { if (session() === null) location.replace('/anchor'); });
  effect(() => { if (status()) tellUsable(); });
  const has = computed(() => (status() ? Boolean(settings()) : undefined));
  const since = computed(() => (status()?.dropped_at ? whenOf(Date.parse(status().dropped_at) / 1000) : ''));
  return html`<div class="arm"><header class="room-head"><a class="back" href="/anchor">${
    words.short}</a><h1>${words.beforeNight}</h1><p class="quiet">${() => (has()
    ? `${words.downSince(since())} ${isArmed() ? words.isArmed : words.notWatched}` : '')}</p></header>${() => {
    if (has() === undefined) return '';
    return has() ? all() : nothing();
  }}</div>${nightAlarm()}`;
});
