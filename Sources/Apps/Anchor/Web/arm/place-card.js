// The anchor's position: as her swing shows it, where "Drop" was pressed, by bearing and distance, or on the plot.

import { computed, html, signal } from '/ui.js';
import { dropPlace } from '/anchor/arm/dropped.js';
import { numberField } from '/anchor/arm/numbers.js';
import { words } from '/anchor/arm/words.js';
import { length, metres, placeAt, vector } from '/anchor/geometry.js';
import { handlesFor } from '/anchor/handles.js';
import { draftRules as rules, reading, second, status, track, whenOf } from '/anchor/model.js';
import { plot } from '/anchor/plot.js';

const FRESH = 120; // seconds: from an older position the anchor is not where one sees it

export function placeCard(edit) {
  const { shown, put } = edit;
  const first = shown.peek()?.anchor;
  const dropped = dropPlace();
  const hasDropped = computed(() => dropped() !== null);
  const way = signal('');
  const by = computed(() => way() || ({ drop: 'drop', swing: 'swing', bearing: 'bearing', map: 'map' }[
    status()?.anchor_by] ?? 'drop'));
  const suggested = computed(() => {
    if (status()?.suggested) return status().suggested;
    const { fixes } = track();
    if (!rules() || !first || fixes.length < 2) return null;
    const hours = (fixes.at(-1)[0] - fixes[0][0]) / 3600;
    const found = rules().swing(fixes.map(([, lat, lon]) => ({ lat, lon })), hours, first);
    return found?.isBetter ? { ...found, hours } : null;
  });
  const bearing = signal(null);
  const distance = signal(null);
  const move = ([lat, lon]) => put({ anchor: { lat, lon }, anchor_by: by.peek() });
  const isFresh = computed(() => reading()?.at > second() - FRESH);
  const aim = () => {
    const at = isFresh.peek() && reading.peek().place;
    if (at && bearing.peek() !== null && distance.peek() !== null) {
      move(placeAt(vector(bearing.peek(), distance.peek()), at));
    }
  };
  const choose = (one) => {
    way.set(one);
    if (one === 'swing') move([suggested.peek().anchor.lat, suggested.peek().anchor.lon]);
    if (one === 'drop') move([dropped.peek().lat, dropped.peek().lon]);
  };
  const swingText = () => {
    const { anchor, hours, error_m: error } = suggested();
    const away = first ? length(metres([anchor.lat, anchor.lon], [first.lat, first.lon])) : 0;
    return words.swingText(Math.round(hours), Math.round(error), Math.round(away));
  };
  const since = () => (status()?.dropped_at ? whenOf(Date.parse(status().dropped_at) / 1000) : '');
  const choice = (one, name, about) => html`<label class="choice"><input type="radio" name="where"
    .checked=${() => by() === one} @change=${() => choose(one)}><span><strong>${name}</strong><small>${about}</small>
    </span></label>`;
  const fields = () => {
    if (by() !== 'bearing') return '';
    return html`<div class="fields">${numberField({ label: words.bearing, unit: '°', most: 360, value: bearing,
      put: (value) => {
        bearing.set(value);
        aim();
      } })}${numberField({ label: words.distanceOf, value: distance, most: 1000, put: (value) => {
      distance.set(value);
      aim();
    } })}</div>${() => (isFresh() ? '' : html`<p class="note">${words.aimFresh}</p>`)}`;
  };
  return html`<section class="card" aria-labelledby="place-title"><fieldset class="choices"><legend><h2
    id="place-title">${words.whereLies}</h2></legend>
    ${() => (suggested() ? choice('swing', words.fromSwing, swingText()) : '')}
    ${() => (hasDropped() ? choice('drop', words.wherePressed, since) : '')}${
  choice('bearing', words.byBearing, words.byBearingAbout)}${
  choice('map', words.byMap, words.byMapAbout)}</fieldset>${fields}
    ${plot({ settings: shown, handles: handlesFor({ ...edit, settings: shown, movesAnchor: () => by() === 'map' }) })}
    </section>`;
}
