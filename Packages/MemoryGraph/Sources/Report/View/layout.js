// The places of a story's boxes and lines: pure functions, without a page.

import { lineOf, placeStems } from './lines.js';
import { along, around, isFree, onLine } from './places.js';
import { ringPlans } from './ring.js';
import { fittedName } from './shorten.js';
import { treePlans } from './tree.js';

const high = 46;
const widest = 216; // of a box's name
const narrowest = 124; // an address fits
const margin = 20; // around the picture
const seenOfLine = 40; // the visible part of a line with a label: its arrow, and some dashes
const enough = 1; // a scale that is large enough
const better = 1.12; // the factor by which a later plan's picture has to be larger

/**
 * The picture of a story: boxes with x and y of their centres, edges between them, and their bounds. Of several plans,
 * the one that the window can show largest is chosen.
 * @param textWidth a name's width.
 * @param fitting the scale at which bounds fit into the window.
 */
export function picture(story, textWidth, fitting) {
  const { boxes } = story;
  for (const box of boxes) measure(box, textWidth);
  const edges = story.edges();
  for (const edge of edges) edge.labelWidth = textWidth(edge.label);
  const plans = story.ringCount > 1 ? ringPlans(story, edges, fitting) : treePlans(story, edges);
  let best;
  const draw = (plan) => {
    for (const box of boxes) Object.assign(box, { width: box.naturalWidth, x: 0, y: 0 });
    plan.place();
    if (plan.kind === 'outline') placeStems(edges, boxes);
    for (const edge of edges) Object.assign(edge, lineOf(edge, boxes, story.ringCount, plan.kind));
    const labels = placeLabels(edges, boxes);
    const room = around([...boxes, ...labels], edges.flatMap((edge) => along(edge.line, 6)));
    return {
      x: room.x - margin, y: room.y - margin, width: room.width + 2 * margin, height: room.height + 2 * margin,
    };
  };
  for (const plan of plans) {
    const scale = fitting(draw(plan));
    if (!best || scale > best.scale * better) best = { plan, scale };
    if (scale >= (plan.enough ?? enough)) break;
  }
  const bounds = draw(best.plan);
  return { boxes, edges, bounds, hidden: story.hidden, ringCount: story.ringCount, plan: best.plan.kind };
}

function measure(box, textWidth) {
  // A root has two lines: what it is, and where.
  const comma = box.root ? box.title.indexOf(', ') : -1;
  const title = comma > 0 ? box.title.slice(0, comma) : box.title;
  if (comma > 0) box.subtitle = box.title.slice(comma + 2);
  box.label = fittedName(title, textWidth, widest);
  const second = box.node === undefined ? Math.min(textWidth(box.subtitle) * 0.86, widest) : 0;
  box.labelWidth = textWidth(box.label);
  box.naturalWidth = Math.max(narrowest, box.labelWidth + 28, second + 28);
  box.height = high;
}

/** Names of references stand on their lines, or beside them, where neither a box nor another name is, or nowhere;
 * answers where they stand. */
function placeLabels(edges, boxes) {
  const taken = [...boxes];
  const wanted = edges.filter((edge) => edge.label);
  wanted.sort((a, b) => (b.inRing ? 1 : 0) - (a.inRing ? 1 : 0));
  for (const edge of edges) edge.isCovered = edge.label !== '';
  for (const edge of wanted) {
    const wide = edge.labelWidth / 2 + 3;
    const place = candidates(edge, wide).find(([x, y]) => isFree(taken, x, y, wide, 9));
    if (!place) continue;
    edge.middle = { x: place[0], y: place[1] };
    edge.isCovered = false;
    taken.push({ x: place[0], y: place[1], width: edge.labelWidth, height: 16 });
  }
  return taken.slice(boxes.length);
}

function candidates(edge, wide) {
  const all = edge.labelAt ? [edge.labelAt] : [];
  const parts = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82];
  const places = parts.map((part) => [part, ...onPart(edge.line, part)]);
  const on = places.map(([, x, y]) => [x, y]);
  const beside = (farther) => places.flatMap(([, x, y, nx, ny]) => {
    // As far from the line as the text is large in that direction; in a ring at first inside of it.
    const far = (wide * Math.abs(nx) + 12 * Math.abs(ny)) * farther;
    const sides = [[x + nx * far, y + ny * far], [x - nx * far, y - ny * far]];
    return edge.inRing && Math.hypot(...sides[1]) < Math.hypot(...sides[0]) ? sides.reverse() : sides;
  });
  const near = isHidden(edge, wide) ? [...beside(1), ...on] : [...on, ...beside(1)];
  return [...all, ...near, ...beside(1.8)];
}

/** True if a label on the line's middle would leave too little of it to see its direction and dashes. */
function isHidden({ line }, wide) {
  const [startX, startY] = line;
  const [endX, endY] = line.slice(-2);
  const [, , nx, ny] = onPart(line, 0.5);
  const covered = 2 * Math.min(wide / Math.abs(ny), 9 / Math.abs(nx));
  return Math.hypot(endX - startX, endY - startY) - covered < seenOfLine;
}

/** A point of a line, and the normal at it. */
function onPart(line, part) {
  const [[x, y], [ax, ay], [bx, by]] = [part, part - 0.05, part + 0.05].map((one) => onLine(line, one));
  const length = Math.hypot(bx - ax, by - ay) || 1;
  return [x, y, -(by - ay) / length, (bx - ax) / length];
}
