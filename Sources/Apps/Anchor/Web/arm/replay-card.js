// Tonight's settings against the last hours' track: what would have rung, and settings that would have been silent.

import { computed, effect, html, signal } from '/ui.js';
import { explain } from '/explain.js';
import { onNews } from '/live.js';
import { distances } from '/anchor/arm/distances.js';
import { rangs } from '/anchor/arm/rang.js';
import { words } from '/anchor/arm/words.js';
import { reachOf } from '/anchor/geometry.js';
import { replay, timeOf, track } from '/anchor/model.js';

const SETTLED = 400; // milliseconds after a change
const WIDEST = 3; // times the present zone: what would need more is no zone for a night

/** The zone so that what was farthest would have been within the warning; null for a polygon, and for one too wide. */
function wider(settings, most) {
  const { zone, warning } = settings;
  const radius = Math.ceil((most + 1) / warning);
  if (radius > reachOf(settings) * WIDEST) return null;
  if (zone.shape === 'circle') return { ...zone, radius_m: radius };
  return zone.shape === 'sector' ? { ...zone, outer_m: radius } : null;
}

export function replayCard({ shown, put }) {
  const found = signal(undefined); // null if there is no track to play
  const silent = signal(null); // a zone that would have been silent
  const trouble = signal(''); // why it could not be played
  const asked = computed(() => JSON.stringify(shown()));
  let timer;
  let round = 0;
  const play = async () => {
    const draft = JSON.parse(asked.peek());
    if (!draft) return;
    round += 1;
    const mine = round;
    try {
      const answer = await replay(draft);
      if (mine !== round) return;
      trouble.set('');
      found.set(answer.fixes ? answer : null);
      silent.set(null);
      if (!rangs(answer.events).length) return;
      const zone = wider(draft, answer.max_m);
      const other = zone && await replay({ ...draft, zone }).catch(() => null); // without an offer the verdict stands
      if (mine === round && other && !rangs(other.events).length) silent.set(zone);
    } catch (error) {
      const said = await explain(error);
      if (mine !== round) return;
      trouble.set(said);
      found.set(null);
    }
  };
  onNews('line', () => { if (trouble.peek()) play(); });
  effect(() => {
    asked();
    clearTimeout(timer);
    timer = setTimeout(play, SETTLED);
  });
  const use = () => put({ zone: silent.peek() });
  const verdict = () => {
    const all = rangs(found().events);
    const radii = (zone) => { // where it warns and rings; of a sector the latter alone
      const alarm = Math.round(reachOf({ ...shown(), zone }));
      return zone.shape === 'circle' ? words.both(Math.round(alarm * shown().warning), alarm) : String(alarm);
    };
    return html`<p class="verdict" data-kind=${all.length ? 'warn' : 'good'} role="status">${all.length
      ? html`${words.wouldHave} <strong>${words.times(all.length)}</strong>`
      : html`<strong>${words.silentNight}</strong>`}</p>
      ${distances({ fixes: track().fixes, settings: shown(), rangs: all })}
      <ol class="rings-list">${all.slice(0, 12).map(({ at, kind, far, lasted }) => html`<li><time>${timeOf(at)}</time>
        <span>${words.rang(kind, far === undefined ? null : Math.round(far), lasted)}</span></li>`)}</ol>
      ${silent() ? html`<div class="row"><button class="button" type="button" @click=${use}>${
        words.useSilent(radii(silent()))}</button><span class="quiet small">${words.orKeep(radii(shown().zone))}</span>
        </div>` : ''}`;
  };
  return html`<section class="card" aria-labelledby="replay"><h2 id="replay">${words.tonight}</h2>${() => {
    if (found() === undefined) return html`<p class="quiet">${words.playing}</p>`;
    return found() ? verdict() : html`<p class="empty" role="status">${trouble() || words.noTrack}</p>`;
  }}</section>`;
}
