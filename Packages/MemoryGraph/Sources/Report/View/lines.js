// The lines of references: Bézier curves, quadratic or cubic. Pure functions, without a page.

import { border, onLine } from './places.js';

/** The edge's line, the place of its label, its end, and the direction at its end. */
export function lineOf(edge, boxes, ringCount, kind) {
  const [a, b] = [boxes[edge.from], boxes[edge.to]];
  if (a === b) return loop(a);
  if (kind === 'outline') return outlined(edge, a, b);
  if (kind === 'columns' && b.level - a.level === 1) return across(a, b);
  return bent(edge, a, b, ringCount);
}

const finished = (line, labelAt) => {
  const [bx, by, x, y] = line.slice(-4);
  const [mx, my] = onLine(line, 0.5);
  return { line, labelAt, middle: { x: mx, y: my }, end: { x, y }, arrives: Math.atan2(y - by, x - bx) };
};

/** A loop from the box's top back into it; its label is beside it. */
function loop(one) {
  const top = one.y - one.height / 2;
  const line = [one.x - 22, top, one.x - 60, top - 52, one.x + 60, top - 52, one.x + 22, top - 5];
  return { ...finished(line, [one.x, top - 39]), arrives: Math.PI * 0.63 };
}

/** From one column to the next. */
function across(a, b) {
  const [x, to] = [a.x + a.width / 2, b.x - b.width / 2 - 5];
  const middle = (x + to) / 2;
  return finished([x, a.y, middle, a.y, middle, b.y, to, b.y]);
}

const stem = 18; // distance of a stem from its box's left edge
const between = 5; // stems

/** True if a line leads from a box to one indented below it, or back. */
const steps = (a, b) => [b.parent === a.number && b.y > a.y, a.parent === b.number && b.y > a.y];

/** Lines of each kind have a stem of their own, so that dashes can be distinguished; the longest is leftmost. */
export function placeStems(edges, boxes) {
  const all = new Map(); // for each box, the stems down and up: the extent of each kind
  for (const edge of edges) {
    const [a, b] = [boxes[edge.from], boxes[edge.to]];
    const [isDown, isUp] = steps(a, b);
    if (!isDown && !isUp) continue;
    const key = isDown ? `${edge.from} down` : `${edge.to} up`;
    if (!all.has(key)) all.set(key, { edges: [], far: new Map() });
    const { edges: together, far } = all.get(key);
    together.push(edge);
    far.set(edge.kind, Math.max(far.get(edge.kind) ?? 0, b.y - a.y));
  }
  for (const { edges: together, far } of all.values()) {
    const order = [...far].sort((a, b) => b[1] - a[1]).map(([kind]) => kind);
    for (const edge of together) edge.stem = stem + (order.indexOf(edge.kind) - (order.length - 1) / 2) * between;
  }
}

function outlined(edge, a, b) {
  const left = (one) => one.x - one.width / 2;
  const half = edge.labelWidth / 2;
  const [isDown, isUp] = steps(a, b);
  if (isDown && left(b) > left(a)) {
    const x = left(a) + edge.stem;
    return finished(
      [x, a.y + a.height / 2, x, b.y, left(b) - 5, b.y], [left(a) + 2 * stem + half, b.y - b.height / 2 - 13]);
  }
  if (isUp && left(a) > left(b)) {
    const x = left(b) + edge.stem;
    return finished(
      [left(a), a.y, x, a.y, x, b.y - b.height / 2 - 5], [left(b) + 2 * stem + half, a.y + a.height / 2 + 13]);
  }
  if ((isDown || isUp) && Math.abs(left(a) - left(b)) < 1) {
    const [x, from, to] = [left(a) + stem, a.y + a.height / 2, b.y - b.height / 2 - 5];
    return finished([x, from, x, (from + to) / 2, x, to], [x + 10 + half, (from + to) / 2 - 2]);
  }
  // Other lines go around the outline on its right.
  const right = Math.max(a.x + a.width / 2, b.x + b.width / 2);
  const far = right + 46 + Math.min(Math.abs(a.y - b.y) / 5, 110);
  return finished([a.x + a.width / 2, a.y, far, a.y, far, b.y, b.x + b.width / 2 + 5, b.y]);
}

/** Along a ring the line bends outwards; two in opposite directions keep to their right. */
function bent(edge, a, b, ringCount) {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const isArc = edge.inRing && ringCount > 2;
  const isPair = edge.isDouble || (edge.inRing && ringCount === 2);
  // A line that crosses a column, or goes back, goes around the boxes there.
  const isFar = a.level !== undefined && b.level !== undefined && b.level - a.level !== 1 && ringCount < 2;
  const bends = isArc ? 0.12 : isPair ? 0.22 : isFar ? 0.3 : 0;
  const side = isArc ? outward(a, b) : isFar && !isPair && (a.y + b.y < 0) !== (dx > 0) ? -1 : 1;
  const bend = { x: (a.x + b.x) / 2 + dy * bends * side, y: (a.y + b.y) / 2 - dx * bends * side };
  // Between boxes so close that the bend would be within one, the line is straight.
  if (isNear(bend, a) || isNear(bend, b)) {
    const [start, end] = [border(a, b), border(b, a, 5)];
    return finished([start.x, start.y, (start.x + end.x) / 2, (start.y + end.y) / 2, end.x, end.y]);
  }
  const [start, end] = [border(a, bend), border(b, bend, 5)];
  return finished([start.x, start.y, bend.x, bend.y, end.x, end.y]);
}

const arrow = 12; // the arrow's length

const isNear = ({ x, y }, box) => (
  Math.abs(x - box.x) < box.width / 2 + arrow && Math.abs(y - box.y) < box.height / 2 + arrow);

function outward(a, b) {
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  return middle.x * (b.y - a.y) - middle.y * (b.x - a.x) >= 0 ? 1 : -1;
}
