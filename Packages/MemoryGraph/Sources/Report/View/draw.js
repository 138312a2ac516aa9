// Draws boxes and the references between them.

import { colours } from './colours.js';
import { dashes } from './kinds.js';
import { isFree, onLine } from './places.js';
import { fittedName } from './shorten.js';

const legible = 0.28; // below this scale no text is drawn
const full = 0.62; // below this scale a box has one line of text, as large as possible
const mostLabels = 60; // the most names of references in a small picture
const dots = 0.16; // below this scale a box is a rectangle, and a reference a line

/** Finds the box at a point: a grid of cells, so that not all boxes have to be searched. */
export class Grid {
  #cells = new Map();
  #size = 256;

  constructor(boxes) {
    for (const box of boxes) {
      const [wide, high] = [box.width / 2, box.height / 2];
      this.#each(box.x - wide, box.y - high, box.x + wide, box.y + high, (key) => {
        this.#cells.set(key, [...(this.#cells.get(key) ?? []), box]);
      });
    }
  }

  #each(left, top, right, bottom, tell) {
    for (let column = Math.floor(left / this.#size); column <= Math.floor(right / this.#size); column += 1) {
      for (let row = Math.floor(top / this.#size); row <= Math.floor(bottom / this.#size); row += 1) {
        tell(`${column} ${row}`);
      }
    }
  }

  /** The box at a point of the world. */
  at(x, y) {
    const near = this.#cells.get(`${Math.floor(x / this.#size)} ${Math.floor(y / this.#size)}`) ?? [];
    return near.find((box) => Math.abs(x - box.x) <= box.width / 2 && Math.abs(y - box.y) <= box.height / 2);
  }
}

/** The edge near a point of the world: its line, or its label. */
export function edgeAt(edges, x, y, reach) {
  let best;
  let least = reach;
  for (const edge of edges) {
    const { middle, label, labelWidth } = edge;
    const half = labelWidth / 2 + 4;
    if (label && !edge.isCovered && Math.abs(x - middle.x) < half && Math.abs(y - middle.y) < 12) return edge;
    for (let part = 0; part <= 1; part += 1 / 16) {
      const [px, py] = onLine(edge.line, part);
      const far = Math.hypot(x - px, y - py);
      if (far < least) [best, least] = [edge, far];
    }
  }
  return best;
}

/** @param state { chosen, hovered, isLeak }: boxes or edges that are highlighted. */
export function drawScene(context, scene, camera, state) {
  const [left, top] = camera.toWorld(0, 0);
  const [right, bottom] = camera.toWorld(camera.width, camera.height);
  const seen = scene.boxes.filter((box) => box.x + box.width / 2 > left && box.x - box.width / 2 < right
    && box.y + box.height / 2 > top && box.y - box.height / 2 < bottom);
  const ratio = context.canvas.width / camera.width;
  context.setTransform(
    camera.scale * ratio, 0, 0, camera.scale * ratio, (camera.width / 2 - camera.x * camera.scale) * ratio,
    (camera.height / 2 - camera.y * camera.scale) * ratio);
  context.lineJoin = 'round';
  context.textAlign = 'center';
  for (const edge of scene.edges) {
    if (isSeen(edge.line, left, top, right, bottom)) drawLine(context, edge, camera.scale, state);
  }
  for (const box of seen) drawBox(context, box, camera.scale, state);
  if (camera.scale > full || (camera.scale > legible && scene.edges.length < mostLabels)) {
    const size = sizeOf(13, camera.scale, 22);
    context.font = `600 ${size}px ${colours.text}`;
    for (const edge of scene.edges) {
      const { x, y } = edge.middle;
      if (edge.isCovered || x < left - 99 || x > right + 99 || y < top || y > bottom) continue;
      // Larger letters need more room than the layout has reserved.
      const half = (edge.labelWidth / 2) * (size / 13);
      if (size === 13 || isFree(seen, x, y, half, size / 2)) drawLabel(context, edge, state);
    }
  }
}

/** A text's size in the world: a small picture has larger letters, as far as there is room. */
const sizeOf = (size, scale, most) => (scale < full ? Math.min(most, Math.max(size, 9.5 / scale)) : size);

function isSeen(line, left, top, right, bottom) {
  let [west, north, east, south] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let place = 0; place < line.length; place += 2) {
    west = Math.min(west, line[place]);
    east = Math.max(east, line[place]);
    north = Math.min(north, line[place + 1]);
    south = Math.max(south, line[place + 1]);
  }
  return east > left && west < right && south > top && north < bottom;
}

const ringColour = (state) => (state.isLeak ? colours.bad : colours.warn);

function edgeColour(edge, state) {
  if (edge === state.chosen) return colours.accent;
  if (edge.inRing) return ringColour(state);
  const ends = [edge.from, edge.to];
  return state.chosen?.number !== undefined && ends.includes(state.chosen.number) ? colours.accent : colours.edge;
}

function drawLine(context, edge, scale, state) {
  const { line, end } = edge;
  const isThick = edge === state.chosen || edge === state.hovered;
  context.strokeStyle = context.fillStyle = edgeColour(edge, state);
  context.lineWidth = (isThick ? 4 : edge.inRing ? 2.5 : 1.5) / Math.min(Math.max(scale, 0.002), 2);
  context.setLineDash(dashes[edge.kind].map((pixels) => pixels / scale));
  context.beginPath();
  context.moveTo(line[0], line[1]);
  if (scale < dots) context.lineTo(end.x, end.y);
  else if (line.length === 6) context.quadraticCurveTo(...line.slice(2));
  else context.bezierCurveTo(...line.slice(2));
  context.stroke();
  context.setLineDash([]);
  if (scale < dots) return;
  const [sine, cosine] = [Math.sin(edge.arrives), Math.cos(edge.arrives)];
  context.beginPath();
  for (const [x, y] of [[3, 0], [-9, -5], [-9, 5]]) {
    context.lineTo(end.x + x * cosine - y * sine, end.y + x * sine + y * cosine);
  }
  context.fill();
}

function drawLabel(context, edge, state) {
  if (!edge.label) return;
  const { x, y } = edge.middle;
  context.strokeStyle = colours.paper;
  context.lineWidth = 5;
  context.strokeText(edge.label, x, y + 4);
  context.fillStyle = edgeColour(edge, state) === colours.edge ? colours.muted : edgeColour(edge, state);
  context.fillText(edge.label, x, y + 4);
}

function drawBox(context, box, scale, state) {
  const { x, y, width, height } = box;
  const isChosen = box === state.chosen;
  const place = [x - width / 2, y - height / 2, width, height];
  context.fillStyle = box.root ? colours.ink : box.own ? colours.own : colours.surface;
  context.strokeStyle = isChosen ? colours.accent : box.inRing ? ringColour(state) : box.leaked ? colours.bad
    : box.root ? colours.ink : box.own ? colours.accent : colours.edge;
  context.lineWidth = (isChosen ? 4 : box === state.hovered || box.inRing || box.centre ? 2.5 : 1.5)
    / Math.min(Math.max(scale, 0.02), 2);
  if (scale < dots) {
    context.fillRect(...place);
    context.strokeRect(...place);
    return;
  }
  if (box.nodes && !box.inRing) drawStack(context, place);
  context.setLineDash(box.nodes ? [6, 5] : []);
  context.beginPath();
  context.roundRect(...place, 12);
  context.fill();
  context.stroke();
  context.setLineDash([]);
  if (scale < legible) return;
  // Larger letters as far as the whole name fits; it is shortened rather than too small.
  const fitting = Math.max(14, ((width - 10) / box.labelWidth) * 14, 8 / scale);
  const size = Math.min(sizeOf(14, scale, 28), fitting);
  const hasTwo = box.subtitle && scale >= full;
  context.fillStyle = box.root ? colours.paper : colours.ink;
  context.font = `600 ${size}px ${colours.text}`;
  const widthOf = (text) => context.measureText(text).width;
  const label = size > 14 && !box.nodes ? fittedName(box.label, widthOf, width - 10) : box.label;
  context.fillText(label, x, y + (hasTwo ? -2 : size * 0.36));
  if (!hasTwo) return;
  context.fillStyle = box.root ? colours.paper : colours.muted;
  context.font = box.nodes || box.root ? `12px ${colours.text}` : `11px ${colours.mono}`;
  context.fillText(`${box.leaked && box.node !== undefined ? '✗ ' : ''}${box.subtitle}`, x, y + 15);
}

/** Several boxes behind each other. */
function drawStack(context, [x, y, width, height]) {
  for (const behind of [8, 4]) {
    context.beginPath();
    context.roundRect(x + behind, y - behind, width, height, 12);
    context.fill();
    context.stroke();
  }
}
