// Names of the districts in the whole graph, and marks of leaks.

import { colours } from './colours.js';
import { shortName } from './data.js';
import { count } from './elements.js';
import { fittedName } from './shorten.js';

export const namedFrom = 74; // CSS pixels of a cell with room for a name
const seenFrom = 6; // CSS pixels of a cell that is visible without a mark

/** As much of a name as fits, in the current font; '' when that would tell nothing. */
export const fitted = (context, name, room) => fittedName(name, (text) => context.measureText(text).width, room);

/** The area of a district's leaked cells, enlarged to be visible, in CSS pixels; undefined when its cells are large. */
function markOf(one, camera) {
  const cell = one.cell * camera.scale;
  if (!one.leaked || cell > seenFrom) return undefined;
  const [x, y] = camera.toScreen(one.left, one.top);
  return {
    x, y, width: Math.max(Math.min(one.leaked, one.columns) * cell, seenFrom),
    height: Math.max(Math.ceil(one.leaked / one.columns) * cell, seenFrom),
  };
}

export function drawNames(context, camera, seen, state) {
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  for (const one of seen) {
    const mark = markOf(one, camera);
    drawName(context, camera, one, one === state.district, mark);
    if (!mark) continue;
    context.fillStyle = colours.surface;
    context.fillRect(mark.x - 1, mark.y - 1, mark.width + 2, mark.height + 2);
    context.fillStyle = colours.bad;
    context.fillRect(mark.x, mark.y, mark.width, mark.height);
  }
}

function drawName(context, camera, one, isChosen, mark) {
  const [x, y] = camera.toScreen(one.x, one.y);
  const wide = one.width * camera.scale;
  const high = one.height * camera.scale;
  if (wide < 44 || high < 26) return;
  const from = Math.max(x, 0);
  const room = Math.min(x + wide, camera.width) - from - 12;
  const size = Math.min(wide < 120 ? 12 : 15, Math.max(11, one.head * camera.scale * 0.8));
  const isOnCells = one.head * camera.scale < size + 4 || y < 0;
  // Below the mark, which is at the first cells.
  const top = isOnCells && mark ? mark.y + mark.height + 1 : y;
  const base = Math.max(top, y < 0 ? camera.covered.top : 0) + size + 3;
  if (base > y + high - 4) return;
  context.font = `600 ${size}px ${colours.text}`;
  const leaked = one.type.leaked ? ` · ✗ ${count(one.type.leaked)}` : '';
  const name = shortName(one.type);
  // The leaked number as long as there is room, then the total, then the name alone.
  const all = [`${name} ${count(one.type.objects)}${leaked}`, `${name}${leaked}`]
    .find((text) => context.measureText(text).width <= room);
  const text = all ?? fitted(context, name, room);
  if (!text) return;
  // A name upon cells needs a background.
  if (isOnCells) {
    context.fillStyle = isChosen ? colours['warn-surface'] : colours.surface;
    context.fillRect(from + 3, base - size - 1, Math.min(context.measureText(text).width + 8, room + 6), size + 6);
  }
  context.fillStyle = one.type.leaked ? colours.bad : one.type.own ? colours.accent : colours.muted;
  context.fillText(text, from + 6, base);
}
