// Where the boxes of a story stand: pure, without a page.

const high = 46;
const mostChecked = 300; // boxes among which a name's place is searched
const mostRows = 14; // a level with more boxes gets more columns

/** The picture of a story: boxes with x and y of their middle, edges between them, and their bounds. */
export function picture(story, textWidth, aspect) {
  const { boxes } = story;
  for (const box of boxes) {
    const most = box.root ? 60 : 30;
    box.label = box.title.length > most ? `${box.title.slice(0, most - 1)}…` : box.title;
    box.width = Math.max(132, textWidth(box.label) + 28);
    box.height = high;
  }
  const edges = story.edges();
  const out = boxes.map(() => []);
  for (const { from, to } of edges) out[from].push(to);
  // A ring stands as a ring, in its order; what leads to it comes from above, what it keeps lies around it.
  if (story.ringCount > 1) placeRing(boxes, out, story.ringCount, aspect);
  else placeColumns(boxes.filter((one) => !one.onWay), edges, textWidth);
  const isLine = story.ringCount <= 1;
  placeWay(boxes.filter((one) => one.onWay), boxes, isLine);
  for (const edge of edges) {
    Object.assign(edge, curve(edge, boxes, story.ringCount));
    edge.labelWidth = textWidth(edge.label);
    placeLabel(edge, boxes);
  }
  return { boxes, edges, bounds: bounds(boxes), hidden: story.hidden, ringCount: story.ringCount };
}

function placeRing(boxes, out, count, aspect) {
  const widest = Math.max(...boxes.slice(0, count).map((one) => one.width));
  // An ellipse, since boxes are wide: between two neighbours there is room for a field's name.
  const circumference = count * (widest * 0.62 + 96);
  const isUpright = aspect < 0.8 && count > 2;
  const mean = Math.max(count === 2 ? 120 : 150, circumference / (2 * Math.PI));
  const radius = isUpright ? mean * 1.3 : mean;
  const wide = Math.max(mean * (isUpright ? 0.85 : 1.25), widest * 0.75 + (count === 2 ? 70 : 0));
  for (let number = 0; number < count; number += 1) {
    // Two stand side by side, as a line is read; more begin at the top.
    const angle = (number / count) * 2 * Math.PI - (count === 2 ? Math.PI : Math.PI / 2);
    Object.assign(boxes[number], { angle, x: wide * Math.cos(angle), y: radius * Math.sin(angle) });
  }
  placeAround(boxes, out, count, wide, radius);
}

/** What a ring keeps: ever further out, beside the one that refers to it. */
function placeAround(boxes, out, count, wide, radius) {
  const parents = new Map();
  const queue = Array.from({ length: count }, (_, number) => number);
  const depth = queue.map(() => 0);
  for (let next = 0; next < queue.length; next += 1) {
    for (const to of out[queue[next]]) {
      if (to < count || parents.has(to) || boxes[to].onWay) continue;
      parents.set(to, queue[next]);
      depth[to] = depth[queue[next]] + 1;
      queue.push(to);
    }
  }
  for (const one of boxes) {
    if (one.number >= count && !parents.has(one.number) && !one.onWay) queue.push(one.number);
  }
  const byRing = new Map();
  for (const number of queue.slice(count)) {
    const level = depth[number] || 1;
    byRing.set(level, [...(byRing.get(level) ?? []), number]);
  }
  for (const [level, numbers] of byRing) {
    const wanted = numbers.map((number) => boxes[parents.get(number)]?.angle ?? 0);
    const order = numbers.map((_, index) => index).sort((a, b) => wanted[a] - wanted[b]);
    const far = Math.max(radius + 120 * level, (numbers.length * 150) / (2 * Math.PI));
    const least = (2 * Math.PI) / Math.max(numbers.length, 12);
    let last = -Infinity;
    for (const index of order) {
      const angle = Math.max(wanted[index], last + least);
      last = angle;
      const stretch = (wide - radius) + far * 1.2;
      Object.assign(boxes[numbers[index]], { angle, x: stretch * Math.cos(angle), y: far * Math.sin(angle) });
    }
  }
}

/** Whether no box lies where a text stands: its middle, and half of its size. */
export const isFree = (boxes, x, y, wide, high) => !boxes.some((box) => (
  Math.abs(x - box.x) < box.width / 2 + wide && Math.abs(y - box.y) < box.height / 2 + high));

/** A place of a Bézier curve. */
export function onLine(line, part) {
  let points = line;
  while (points.length > 2) {
    const next = [];
    for (let place = 0; place + 3 < points.length; place += 2) {
      next.push(points[place] + (points[place + 2] - points[place]) * part);
      next.push(points[place + 1] + (points[place + 3] - points[place + 1]) * part);
    }
    points = next;
  }
  return points;
}

/** The name of a reference stands in the middle of its line, or beside it where a box lies there, or nowhere. */
function placeLabel(edge, boxes) {
  if (!edge.label || boxes.length > mostChecked) return;
  for (const part of [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8]) {
    const [x, y] = part === 0.5 ? [edge.middle.x, edge.middle.y] : onLine(edge.line, part);
    if (!isFree(boxes, x, y, edge.labelWidth / 2, 7)) continue;
    edge.middle = { x, y };
    return;
  }
  edge.isCovered = true;
}

/** From left to right, as far as each is from the first; between them there is room for the references' names. */
function placeColumns(boxes, edges, textWidth) {
  const gaps = new Map();
  const levelOf = new Map(boxes.map((box) => [box.number, box.level ?? 0]));
  for (const { from, to, label } of edges) {
    const [a, b] = [levelOf.get(from), levelOf.get(to)];
    if (Math.abs(a - b) !== 1) continue;
    gaps.set(Math.min(a, b), Math.max(gaps.get(Math.min(a, b)) ?? 0, textWidth(label)));
  }
  const gapAfter = (level) => Math.min(Math.max((gaps.get(level) ?? 0) + 48, 90), 260);
  const levels = new Map();
  for (const box of boxes) levels.set(box.level ?? 0, [...(levels.get(box.level ?? 0) ?? []), box]);
  let x = 0;
  for (const level of [...levels.keys()].sort((a, b) => a - b)) {
    const all = levels.get(level);
    const rows = Math.min(all.length, Math.max(mostRows, Math.ceil(Math.sqrt(all.length * 3))));
    for (let start = 0; start < all.length; start += rows) {
      const part = all.slice(start, start + rows);
      const widest = Math.max(...part.map((box) => box.width));
      part.forEach((box, row) => {
        Object.assign(box, { x: x + widest / 2, y: (row - (part.length - 1) / 2) * 84 });
      });
      x += widest + (start + rows < all.length ? 40 : gapAfter(level));
    }
  }
}

/** The way to what is still reached comes down to where it arrives, or from the left where all goes to the right. */
function placeWay(way, boxes, isLine) {
  const placed = boxes.filter((one) => !one.onWay);
  if (!way.length || !placed.length) return;
  let top = Math.min(...placed.map((one) => one.y));
  let left = Math.min(...placed.map((one) => one.x - one.width / 2));
  const nearest = [...way.filter((one) => !one.root).reverse(), ...way.filter((one) => one.root)];
  for (const one of nearest) {
    top -= 110;
    left -= 130 + one.width;
    Object.assign(one, isLine ? { x: left + one.width / 2, y: placed[0].y } : { x: placed[0].x, y: top });
  }
}

/** The edge's line (a quadratic or a cubic Bézier curve), the place of its label, and the direction it arrives in. */
function curve(edge, boxes, ringCount) {
  const [a, b] = [boxes[edge.from], boxes[edge.to]];
  if (a === b) {
    const top = a.y - a.height / 2;
    return {
      line: [a.x - 26, top, a.x - 74, top - 84, a.x + 74, top - 84, a.x + 26, top - 3],
      middle: { x: a.x, y: top - 66 }, end: { x: a.x + 26, y: top - 3 }, arrives: Math.PI * 0.63,
    };
  }
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy) || 1;
  // Along a ring the line bends outwards; two that face each other keep to their right.
  const isArc = edge.inRing && ringCount > 2;
  const isPair = edge.isDouble || (edge.inRing && ringCount === 2);
  // One that passes over a column, or comes back, goes around what stands there.
  const isFar = a.level !== undefined && b.level !== undefined && b.level - a.level !== 1;
  const bends = isArc ? 0.12 : isPair ? 0.22 : isFar ? 0.3 : 0;
  const side = isArc ? outward(a, b) : isFar && !isPair && (a.y + b.y < 0) !== (dx > 0) ? -1 : 1;
  const bend = { x: (a.x + b.x) / 2 + dy * bends * side, y: (a.y + b.y) / 2 - dx * bends * side };
  const start = border(a, bend);
  const end = border(b, bend, 5);
  return {
    line: [start.x, start.y, bend.x, bend.y, end.x, end.y],
    middle: { x: (start.x + 2 * bend.x + end.x) / 4, y: (start.y + 2 * bend.y + end.y) / 4 },
    end, arrives: Math.atan2(end.y - bend.y, end.x - bend.x), length,
  };
}

function outward(a, b) {
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  return middle.x * (b.y - a.y) - middle.y * (b.x - a.x) >= 0 ? 1 : -1;
}

/** Where the line from a box's middle to a point leaves the box. */
function border(one, point, gap = 0) {
  const [dx, dy] = [point.x - one.x, point.y - one.y];
  const across = dx === 0 ? Infinity : (one.width / 2 + gap) / Math.abs(dx);
  const down = dy === 0 ? Infinity : (one.height / 2 + gap) / Math.abs(dy);
  const scale = Math.min(across, down, 1);
  return { x: one.x + dx * scale, y: one.y + dy * scale };
}

function bounds(boxes) {
  const spread = Math.max(...boxes.map((one) => one.x)) - Math.min(...boxes.map((one) => one.x));
  const room = Math.max(46, spread * 0.03);
  const left = Math.min(...boxes.map((one) => one.x - one.width / 2)) - room;
  const right = Math.max(...boxes.map((one) => one.x + one.width / 2)) + room;
  const top = Math.min(...boxes.map((one) => one.y - one.height / 2)) - room - 20;
  const bottom = Math.max(...boxes.map((one) => one.y + one.height / 2)) + room;
  return { x: left, y: top, width: right - left, height: bottom - top };
}
