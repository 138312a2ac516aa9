// Lines of the whole graph: between types, and from the object that is chosen.

import { colours } from './colours.js';
import { graph, linksOf, reference, referencesOf, referrersOf } from './data.js';
import { namedFrom } from './names.js';

const mostLinks = 40;
const mostLines = 3000;

/** A type's references to others, and theirs to it: as many as can be told apart. */
export function linksOfDistrict(map, type) {
  const { out, into } = linksOf(type);
  const here = map.districtOf(type);
  const link = (isOut) => ([other, references]) => (
    { from: isOut ? here : map.districtOf(other), to: isOut ? map.districtOf(other) : here, references, isOut });
  return [...out.slice(0, mostLinks).map(link(true)), ...into.slice(0, mostLinks).map(link(false))]
    .filter(({ from, to }) => from !== to);
}

/** Between all types those with the most references. */
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
    { from: districtOf[Math.floor(key / types)], to: districtOf[key % types], references, isOut: true }));
}

/** From type to type, the more references the thicker; a dot stands where they arrive. */
export function drawLinks(context, camera, links, alpha) {
  const centre = (one) => camera.toScreen(one.x + one.width / 2, one.y + one.height / 2);
  context.strokeStyle = colours.ink;
  context.fillStyle = colours.ink;
  context.globalAlpha = alpha;
  for (const { from, to, references, isOut } of links) {
    const [[x, y], [tx, ty]] = [centre(from), centre(to)];
    context.setLineDash(isOut ? [] : [5, 5]);
    context.lineWidth = 1 + Math.log10(references);
    context.beginPath();
    context.moveTo(x, y);
    context.quadraticCurveTo((x + tx) / 2 + (ty - y) * 0.15, (y + ty) / 2 - (tx - x) * 0.15, tx, ty);
    context.stroke();
    context.beginPath();
    context.arc(tx, ty, 2.5 + Math.log10(references), 0, 7);
    context.fill();
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/** The chosen one, and all it is connected with: to what it refers in full lines, who refers to it dashed. */
export function drawChosen(context, map, camera, node) {
  const here = camera.toScreen(...map.placeOf(node));
  context.strokeStyle = colours.ink;
  context.lineWidth = 1.5;
  for (const [dash, others] of [
    [[], referencesOf(node).slice(0, mostLines).map((edge) => graph.target[edge])],
    [[4, 4], referrersOf(node).slice(0, mostLines).map((edge) => reference(edge).from)],
  ]) {
    context.setLineDash(dash);
    context.beginPath();
    for (const other of others) {
      context.moveTo(...here);
      context.lineTo(...camera.toScreen(...map.placeOf(other)));
    }
    context.stroke();
  }
  context.setLineDash([]);
  const size = Math.max(map.cellOf(node) * camera.scale, 8) + 6;
  if (size > namedFrom) return;
  for (const [colour, width] of [[colours.paper, 7], [colours.ink, 3]]) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.strokeRect(here[0] - size / 2, here[1] - size / 2, size, size);
  }
}
