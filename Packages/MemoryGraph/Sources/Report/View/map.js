// Draws the whole graph. Small cells are written as pixels: a hundred thousand of them take a millisecond or two, where
// rectangles of the canvas would take fifty. Of larger ones there are few.

import { colours } from './colours.js';
import { addressOf, graph, isLeaked, nodesByType, shortName } from './data.js';
import { drawChosen, drawLinks, linksOfDistrict, strongestLinks } from './links.js';
import { drawNames, fitted, namedFrom } from './names.js';
import { hit, middle, plan } from './plan.js';

const largestDot = 18; // the largest cell, in CSS pixels, that is written as pixels
const mostLines = 3000;
const linedFrom = 60; // the smallest cell, in CSS pixels, whose references are drawn

/** The plan of all types, and each node's place in it. */
export function makeMap(aspect) {
  const total = graph.count;
  const districts = graph.types.map((type, number) => ({ type, number, nodes: nodesByType[number] }))
    .filter(({ nodes }) => nodes.length > 0);
  weigh(districts);
  const map = plan(districts, aspect);
  const place = new Uint32Array(total);
  const districtOf = [];
  for (const one of map.order) {
    districtOf[one.number] = one;
    one.nodes.forEach((node, index) => { place[node] = index; });
    one.leaked = one.nodes.findIndex((node) => !isLeaked(node));
    if (one.leaked < 0) one.leaked = one.count;
    one.inCycle = new Uint8Array(one.count);
    for (let index = one.leaked; index < one.count; index += 1) {
      one.inCycle[index] = graph.finding[one.nodes[index]] > 0 ? 1 : 0;
    }
  }
  return {
    ...map,
    links: strongestLinks(districtOf),
    bounds: { x: -map.width * 0.015, y: -map.height * 0.015, width: map.width * 1.03, height: map.height * 1.03 },
    placeOf: (node) => middle(districtOf[graph.type[node]], place[node]),
    cellOf: (node) => districtOf[graph.type[node]].cell, districtOf: (type) => districtOf[type],
    at(x, y) {
      const found = hit(map.order, x, y);
      return found && { district: found.district, node: found.district.nodes[found.index] };
    },
  };
}

/** Weights by number, but not proportional: rare, own or leaked types get enough room to be visible. */
function weigh(districts) {
  let sum = 0;
  for (const one of districts) {
    one.count = one.nodes.length;
    sum += one.count ** 0.75;
  }
  for (const one of districts) {
    const rank = one.type.leaked ? 4 : one.type.own ? 3 : 1;
    one.weight = one.count ** 0.75 + (0.2 * rank * sum) / districts.length;
  }
}

let image;

/** @param state { chosen, type }: the node and the type that are highlighted. */
export function drawMap(context, map, camera, state) {
  const { canvas } = context;
  state.district = state.type === undefined ? undefined : map.districtOf(state.type);
  const ratio = canvas.width / camera.width;
  if (image?.width !== canvas.width || image?.height !== canvas.height) {
    image = context.createImageData(canvas.width, canvas.height);
    image.pixels = new Uint32Array(image.data.buffer);
  }
  const scale = camera.scale * ratio;
  const [left, top] = camera.toWorld(0, 0);
  const [right, bottom] = camera.toWorld(camera.width, camera.height);
  const view = { left, top, right, bottom, scale, ratio };
  const seen = map.order.filter((one) => one.x < view.right && one.x + one.width > view.left && one.y < view.bottom
    && one.y + one.height > view.top);
  image.pixels.fill(colours.pixels.paper);
  for (const one of seen) drawDistrict(one, view, state);
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.putImageData(image, 0, 0);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const large = seen.filter((one) => one.cell * camera.scale > largestDot);
  const cells = large.flatMap((one) => seenCells(one, view));
  drawReferences(context, map, camera, cells);
  for (const cell of cells) drawCell(context, camera, cell, state);
  drawNames(context, camera, seen, state);
  if (state.district) drawLinks(context, camera, linksOfDistrict(map, state.type), 0.8);
  else if (state.chosen === undefined && seen.length > 2) drawLinks(context, camera, map.links, 0.3);
  if (state.chosen !== undefined) drawChosen(context, map, camera, state.chosen);
}

function rectangle(view, x, y, width, height, colour) {
  const x0 = Math.max(Math.round((x - view.left) * view.scale), 0);
  const x1 = Math.min(Math.round((x + width - view.left) * view.scale), image.width);
  const y0 = Math.max(Math.round((y - view.top) * view.scale), 0);
  const y1 = Math.min(Math.round((y + height - view.top) * view.scale), image.height);
  if (x1 <= x0) return;
  for (let row = y0; row < y1; row += 1) image.pixels.fill(colour, row * image.width + x0, row * image.width + x1);
}

function drawDistrict(one, view, state) {
  const gap = 1.5 / view.scale;
  const { pixels } = colours;
  rectangle(view, one.x + gap, one.y + gap, one.width - 2 * gap, one.height - 2 * gap,
    one === state.district ? pixels['warn-surface'] : pixels.surface);
  if (one.cell * view.scale > largestDot * view.ratio) return;
  const colour = one.type.own ? pixels.accent : pixels.edge;
  const step = one.cell * view.scale;
  if (step < 2) {
    drawArea(one, view, colour);
    return;
  }
  // Each cell is a square of pixels; only integers inside.
  const dot = Math.max(1, Math.round(step * 0.74));
  const { width, height } = image;
  const { firstRow, lastRow, firstColumn, lastColumn } = seenPart(one, view);
  for (let row = firstRow; row <= lastRow; row += 1) {
    const y0 = Math.max(Math.round((one.top + row * one.cell - view.top) * view.scale), 0);
    const y1 = Math.min(y0 + dot, height);
    for (let column = firstColumn; column <= lastColumn; column += 1) {
      const index = row * one.columns + column;
      if (index >= one.count) break;
      const x0 = Math.max(Math.round((one.left + column * one.cell - view.left) * view.scale), 0);
      const x1 = Math.min(x0 + dot, width);
      const own = index < one.leaked ? pixels.bad : one.inCycle[index] ? pixels.warn : colour;
      for (let y = y0; y < y1; y += 1) {
        for (let x = x0; x < x1; x += 1) image.pixels[y * width + x] = own;
      }
    }
  }
}

/** Too small for cells: whole rows. */
function drawArea(one, view, colour) {
  rectangle(view, one.left, one.top, one.columns * one.cell, Math.ceil(one.count / one.columns) * one.cell, colour);
}

/** The rows and columns of a district's cells that are in the picture. */
function seenPart(one, view) {
  const at = (distance) => Math.floor(distance / one.cell);
  return {
    firstRow: Math.max(0, at(view.top - one.top)),
    lastRow: Math.min(Math.ceil(one.count / one.columns) - 1, at(view.bottom - one.top)),
    firstColumn: Math.max(0, at(view.left - one.left)),
    lastColumn: Math.min(one.columns - 1, at(view.right - one.left)),
  };
}

function seenCells(one, view) {
  const cells = [];
  const { firstRow, lastRow, firstColumn, lastColumn } = seenPart(one, view);
  for (let row = firstRow; row <= lastRow; row += 1) {
    for (let column = firstColumn; column <= lastColumn; column += 1) {
      const index = row * one.columns + column;
      if (index >= one.count) break;
      const [x, y] = middle(one, index);
      cells.push({ district: one, node: one.nodes[index], x, y });
    }
  }
  return cells;
}

function drawCell(context, camera, { district, node, x, y }, state) {
  const size = district.cell * camera.scale * 0.82;
  const [sx, sy] = camera.toScreen(x, y);
  const finding = graph.findings[graph.finding[node] - 1];
  const isNamed = size > namedFrom;
  const high = isNamed ? Math.min(size, 46) : size;
  const usual = district.type.own ? colours.accent : colours.edge;
  const colour = finding?.isLeak ? colours.bad : finding ? colours.warn : usual;
  context.beginPath();
  context.roundRect(sx - size / 2, sy - high / 2, size, high, Math.min(10, size / 5));
  context.fillStyle = isNamed ? district.type.own ? colours.own : colours.surface : colour;
  context.fill();
  context.textAlign = 'center';
  if (!isNamed) {
    // Marked not by colour alone.
    context.fillStyle = colours.surface;
    context.font = `600 ${size * 0.7}px ${colours.text}`;
    if (finding) context.fillText(finding.isLeak ? '✗' : '○', sx, sy + size * 0.25);
    return;
  }
  context.strokeStyle = node === state.chosen ? colours.accent : colour;
  context.lineWidth = node === state.chosen ? 4 : 1.5;
  context.stroke();
  const sign = finding?.isLeak ? '✗ ' : finding ? '○ ' : '';
  context.fillStyle = colours.muted;
  context.font = `11px ${colours.mono}`;
  context.fillText(sign + addressOf(node).slice(size > 100 ? 0 : -5), sx, sy + 14, size - 6);
  context.fillStyle = colours.ink;
  context.font = `600 13px ${colours.text}`;
  context.fillText(fitted(context, shortName(district.type), size - 8), sx, sy - 3);
}

/** The references of the visible cells, when there are few. */
function drawReferences(context, map, camera, cells) {
  if (!cells.length || cells.length > mostLines) return;
  context.strokeStyle = colours.rule;
  context.lineWidth = 1;
  context.beginPath();
  let lines = 0;
  for (const { district, node, x, y } of cells) {
    if (district.cell * camera.scale < linedFrom) continue;
    for (let edge = graph.first[node]; edge < graph.first[node + 1] && lines < mostLines; edge += 1) {
      if (graph.target[edge] === node) continue;
      context.moveTo(...camera.toScreen(x, y));
      context.lineTo(...camera.toScreen(...map.placeOf(graph.target[edge])));
      lines += 1;
    }
  }
  context.stroke();
}
