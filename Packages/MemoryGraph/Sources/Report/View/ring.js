// The layout of a ring's boxes: in a circle, in order; the path to it comes from above, retained objects are around it.
// Pure.

import { along, areClose, around, isCrossed } from './places.js';
import { lineOf } from './lines.js';
import { wayOf } from './tree.js';

// An ellipse, or with a larger exponent nearly a rectangle; from tall to wide.
const shapes = [[2, 1.35], [2, 0.9], [2, 1.9], [2, 0.6], [5, 1], [5, 0.55], [5, 0.35], [5, 2]];

export function ringPlans(story, edges, fitting) {
  const { boxes, ringCount } = story;
  const shape = (exponent, ratio) => () => {
    placeRing(boxes, edges, ringCount, exponent, ratio);
    placeWay(boxes);
    placeKept(boxes, edges, ringCount, fitting);
  };
  if (ringCount > 2) return shapes.map(([exponent, ratio]) => ({ kind: 'ring', place: shape(exponent, ratio) }));
  return [false, true].map((isUpright) => ({
    kind: 'ring', place() {
      const width = Math.max(...edges.filter((edge) => edge.inRing).map((edge) => edge.labelWidth));
      const [a, b] = boxes;
      const [x, y] = isUpright ? [0, 84] : [(a.width + b.width) / 4 + Math.max(width / 2 + 22, 56), 0];
      Object.assign(a, { x: -x, y: -y });
      Object.assign(b, { x, y });
      placeWay(boxes);
      placeKept(boxes, edges, ringCount, fitting);
    },
  }));
}

/** As small as possible with room between neighbours for a field's name, and between the others for a line. */
function placeRing(boxes, edges, count, exponent, ratio) {
  const ring = boxes.slice(0, count);
  const labels = new Map(edges.filter((edge) => edge.inRing).map((edge) => [edge.from, edge.labelWidth]));
  const wide = Math.max(...ring.map((one) => one.width)) + Math.min(Math.max(0, ...labels.values()), 150) + 36;
  const places = aroundShape(count, exponent, ratio, wide / (ring[0].height + 42));
  const isTight = () => ring.some((a, number) => ring.some((b, other) => {
    if (other <= number) return false;
    const isNext = other === number + 1 || (number === 0 && other === count - 1);
    return areClose(a, b, isNext ? Math.min(labels.get(other === number + 1 ? number : other) ?? 0, 150) + 36 : 28,
      isNext ? 42 : 24);
  }));
  let size = 60;
  do {
    size *= 1.05;
    ring.forEach((box, number) => Object.assign(box, { x: places[number][0] * size, y: places[number][1] * size }));
  } while (isTight() && size < 1e5);
}

/**
 * Places at equal distances on a shape around 0, clockwise from its top; its height is 2, its width by the ratio.
 * @param across ratio of the space that a box needs horizontally to the space it needs vertically.
 */
function aroundShape(count, exponent, ratio, across) {
  const fine = 720;
  const power = (value) => Math.sign(value) * Math.abs(value) ** (2 / exponent);
  const points = Array.from({ length: fine + 1 }, (_, step) => {
    const angle = (step / fine) * 2 * Math.PI - Math.PI / 2;
    return [power(Math.cos(angle)) * ratio, power(Math.sin(angle))];
  });
  const lengths = [0];
  for (let step = 1; step <= fine; step += 1) {
    const [[x, y], [nextX, nextY]] = [points[step - 1], points[step]];
    lengths.push(lengths.at(-1) + Math.max(Math.abs(nextX - x) / across, Math.abs(nextY - y)));
  }
  let step = 0;
  return Array.from({ length: count }, (_, number) => {
    while (lengths[step] < (lengths.at(-1) * number) / count) step += 1;
    return points[step];
  });
}

/** The path to the ring comes down to its first box; a long one in rows, to and fro. */
function placeWay(boxes) {
  const [first] = boxes;
  const top = Math.min(...boxes.filter((one) => one.inRing).map((one) => one.y));
  const way = wayOf(boxes).reverse();
  const inRow = way.length > 4 ? 3 : 1;
  const step = Math.max(...way.map((one) => one.width)) + 76;
  way.forEach((one, number) => {
    const [row, place] = [Math.floor(number / inRow), number % inRow];
    const column = (row % 2 ? inRow - 1 - place : place) - (inRow - 1) / 2;
    Object.assign(one, { x: first.x + column * step, y: top - 92 * (row + 1) });
  });
}

// The retained objects: one after the other, each at the cheapest place.

const directions = Array.from({ length: 24 }, (_, step) => (step / 24) * 2 * Math.PI);
const distances = [1, 1.5, 2.2, 3.2, 4.5];

function placeKept(boxes, edges, count, fitting) {
  const placed = boxes.filter((one) => one.inRing || one.onWay);
  const lines = edges.filter((edge) => placed.includes(boxes[edge.from]) && placed.includes(boxes[edge.to]))
    .map((edge) => along(lineOf(edge, boxes, count, 'ring').line, 8));
  const inside = around(boxes.slice(0, count));
  for (const box of boxes) {
    if (placed.includes(box)) continue;
    const ends = edges.filter((edge) => edge.from !== edge.to && (edge.from === box.number || edge.to === box.number))
      .map((edge) => [boxes[edge.from === box.number ? edge.to : edge.from], edge.labelWidth])
      .filter(([other]) => placed.includes(other));
    const [parent, label] = ends.find(([other]) => other.number === box.parent) ?? ends[0] ?? [boxes[0], 0];
    Object.assign(box, cheapest(box, parent, label, ends, placed, lines, inside, fitting));
    placed.push(box);
    for (const [other] of ends) lines.push([[other.x, other.y], [box.x, box.y]]);
  }
}

function cheapest(box, parent, label, ends, placed, lines, inside, fitting) {
  const room = around(placed);
  const before = fitting(room);
  let [best, least] = [undefined, Infinity];
  for (const far of distances) {
    for (const angle of directions) {
      const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
      const step = Math.min(
        ((parent.width + box.width) / 2 + Math.min(label, 150) + 36) / Math.abs(cosine),
        ((parent.height + box.height) / 2 + 42) / Math.abs(sine)) * far;
      const at = { ...box, x: parent.x + cosine * step, y: parent.y + sine * step };
      if (placed.some((one) => areClose(at, one, 24, 24))) continue;
      const cost = costOf(at, parent, ends, placed, lines, inside)
        + 900 * Math.max(0, 1 - fitting(around([...placed, at])) / before);
      if (cost < least) [best, least] = [{ x: at.x, y: at.y }, cost];
    }
  }
  return best ?? { x: room.x + box.width / 2, y: room.y + room.height + 60 };
}

function costOf(at, parent, ends, placed, lines, inside) {
  let cost = Math.hypot(at.x - parent.x, at.y - parent.y) * 0.4;
  const isInside = Math.abs(at.x - inside.x - inside.width / 2) < inside.width / 2
    && Math.abs(at.y - inside.y - inside.height / 2) < inside.height / 2;
  if (isInside) cost += 160;
  for (const points of lines) {
    const isUnder = points.some((point, place) => place > 0 && isCrossed(at, points[place - 1], point, 8));
    if (isUnder) cost += 300;
  }
  for (const [other] of ends) {
    const [from, to] = [[at.x, at.y], [other.x, other.y]];
    for (const one of placed) if (one !== other && isCrossed(one, from, to, 6)) cost += 400;
    for (const points of lines) {
      if (points.some((point, place) => place > 0 && cross(points[place - 1], point, from, to))) cost += 120;
    }
  }
  return cost;
}

/** True if two line segments cross. */
function cross(a, b, c, d) {
  const side = (p, q, r) => Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}
