// The distance from the anchor over the last hours, and where it would have rung; of a circle with the lines of warning
// and alarm, which in other zones are no distances from the anchor.

import { html } from '/ui.js';
import { thinned } from '/anchor/arm/rang.js';
import { words } from '/anchor/arm/words.js';
import { length, metres, reachOf } from '/anchor/geometry.js';
import { timeOf } from '/anchor/model.js';

const [LEFT, RIGHT, TOP, BOTTOM] = [36, 464, 20, 150];
const POINTS = 240; // of the line

export function distances({ fixes, settings, rangs }) {
  if (fixes.length < 2) return '';
  const anchor = [settings.anchor.lat, settings.anchor.lon];
  const all = thinned(fixes.map((fix) => [fix[0], length(metres([fix[1], fix[2]], anchor))]), POINTS);
  const isCircle = settings.zone.shape === 'circle';
  const alarm = isCircle ? reachOf(settings) : Math.max(10, ...all.map(([, far]) => far));
  const warn = alarm * settings.warning;
  const top = Math.max(alarm, ...all.map(([, far]) => far)) * 1.08;
  const [first, last] = [all[0][0], all.at(-1)[0]];
  const x = (at) => LEFT + ((at - first) / Math.max(1, last - first)) * (RIGHT - LEFT);
  const y = (far) => BOTTOM - (far / top) * (BOTTOM - TOP);
  const at = (value) => value.toFixed(1);
  const trace = `M${all.map(([time, far]) => `${at(x(time))} ${at(y(far))}`).join(' ')}`;
  const marks = (kind) => rangs.filter((one) => one.kind === kind && one.at >= first).map((one) =>
    `M${at(x(one.at) - 6)} ${at(y(one.far ?? alarm) - 12)}a6 6 0 1 1 12 0a6 6 0 1 1 -12 0z`).join('');
  const half = Math.round(warn / 20) * 10;
  const lineAt = (far) => (isCircle ? `M36 ${at(y(far))}H464` : '');
  const named = (far) => (isCircle ? Math.round(far) : '');
  return html`<svg class="distances" viewBox="0 0 480 176" role="img" aria-label=${words.distancesPicture(timeOf(first),
    timeOf(last), rangs.length)}><path class="grid" d=${`M36 150H464M36 ${at(y(half))}H464`} />
    <text x="30" y="154" text-anchor="end">0</text><text x="30" y=${at(y(half) + 4)} text-anchor="end">${half || ''}
    </text><path class="zone-warn" d=${lineAt(warn)} /><path class="zone-alarm" d=${lineAt(alarm)} />
    <text x="30" y=${at(y(warn) + 6)} text-anchor="end">${named(warn)}</text>
    <text class="strong" x="30" y=${at(y(alarm) + 2)} text-anchor="end">${named(alarm)}</text>
    <path class="trace" d=${trace} /><path class="rang" data-kind="warn" d=${marks('warning')} /><path class="rang"
    data-kind="alarm" d=${marks('alarm')} /><text x="36" y="170">${timeOf(first)}</text><text x="464" y="170"
    text-anchor="end">${timeOf(last)}</text></svg>`;
}
