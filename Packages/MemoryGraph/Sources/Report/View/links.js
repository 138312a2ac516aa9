// Lines in the whole graph: between types, and from the chosen object.

import { colours } from './colours.js';
import { graph, linksOf, reference, referencesOf, referrersOf } from './data.js';
import { dashes } from './kinds.js';
import { namedFrom } from './names.js';
import { border } from './places.js';

const mostLinks = 40;
const mostLines = 3000;

/** A type's references to others, and from others: as many as can be distinguished. */
export function linksOfDistrict(map, type) {
  const { out, into } = linksOf(type);
  const here = map.districtOf(type);
  const link = (isOut) => ([other, references]) => (
    { from: isOut ? here : map.districtOf(other), to: isOut ? map.districtOf(other) : here, references });
  return [...out.slice(0, mostLinks).map(link(true)), ...into.slice(0, mostLinks).map(link(false))]
    .filter(({ from, to }) => from !== to);
}

/** The strongest links between all types, by the number of references. */
export function strongestLinks(districtOf) {
  const all = new Map();
  const types = graph.types.length;
  for (let node = 0; node < graph.count; node += 1) {
    for (let edge = graph.first[node]; edge < graph.first[node + 1]; edge += 1) {
      const [from, to] = [graph.type[node], graph.type[graph.target[edge]]];
      if (from !== to) all.set(from * types + to, (all.get(from * types + to) ?? 0) + 1);
    }
  }
  return [...all].sort((a, b) => b[1] - a[1]).slice(0, mostLinks).map(([key, references]) => (
    { from: districtOf[Math.floor(key / types)], to: districtOf[key % types], references }));
}

/** From type to type, thicker for more references; a dot marks the target. */
export function drawLinks(context, camera, links, alpha) {
  const centre = (one) => camera.toScreen(one.x + one.width / 2, one.y + one.height / 2);
  context.strokeStyle = colours.ink;
  context.fillStyle = colours.ink;
  context.globalAlpha = alpha;
  for (const { from, to, references } of links) {
    const [[x, y], [tx, ty]] = [centre(from), centre(to)];
    context.lineWidth = 1 + Math.log10(references);
    context.beginPath();
    context.moveTo(x, y);
    context.quadraticCurveTo((x + tx) / 2 + (ty - y) * 0.15, (y + ty) / 2 - (tx - x) * 0.15, tx, ty);
    context.stroke();
    context.beginPath();
    context.arc(tx, ty, 2.5 + Math.log10(references), 0, 7);
    context.fill();
  }
  context.globalAlpha = 1;
}

/** The references from and to a node that are drawn when it is chosen. */
export const chosenEdges = (node) => [
  ...referencesOf(node).slice(0, mostLines), ...referrersOf(node).slice(0, mostLines)];

/** The chosen object with its references, in each one's dashes, with a dot at the target. */
export function drawChosen(context, map, camera, node) {
  const here = camera.toScreen(...map.placeOf(node));
  context.strokeStyle = context.fillStyle = colours.ink;
  context.lineWidth = 1.5;
  const cell = (one) => {
    const [x, y] = camera.toScreen(...map.placeOf(one));
    const width = map.cellOf(one) * camera.scale * 0.82;
    return { x, y, width, height: width > namedFrom ? 46 : width };
  };
  const lines = chosenEdges(node).map((edge) => {
    const { from, to, kind } = reference(edge);
    const [a, b] = [cell(from), cell(to)];
    return { kind, start: border(a, b), end: border(b, a) };
  });
  dashes.forEach((dash, wanted) => {
    context.setLineDash(dash);
    context.beginPath();
    for (const { kind, start, end } of lines) {
      if (kind !== wanted) continue;
      context.moveTo(start.x, start.y);
      context.lineTo(end.x, end.y);
    }
    context.stroke();
  });
  context.setLineDash([]);
  context.beginPath();
  for (const { end } of lines) {
    context.moveTo(end.x, end.y);
    context.arc(end.x, end.y, 3.5, 0, 7);
  }
  context.fill();
  const size = Math.max(map.cellOf(node) * camera.scale, 8) + 6;
  if (size > namedFrom) return;
  for (const [colour, width] of [[colours.paper, 7], [colours.ink, 3]]) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.strokeRect(here[0] - size / 2, here[1] - size / 2, size, size);
  }
}
