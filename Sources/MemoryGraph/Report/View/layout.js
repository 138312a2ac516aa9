// Where the nodes of a finding stand: pure, without a page.

const high = 46;
const textWidth = (text, size) => text.length * size * 0.66;

/** A node's box fits its text; a long name is cut, and stands in full in the inspector. */
export function box(node) {
  if (node.folded) return { ...node, short: '', label: '', address: '', width: 112, height: high };
  const most = node.isRoot ? 44 : 30;
  const label = node.short.length > most ? `${node.short.slice(0, most - 1)}…` : node.short;
  return { ...node, label, width: Math.max(112, textWidth(label, 14) + 28), height: high };
}

/**
 * The picture of a finding: boxes with x and y of their middle, edges between them, and their bounds.
 * A ring stands as a ring, in its order; what reaches it comes from above, what it keeps lies around it.
 */
export function picture(finding) {
  const boxes = finding.nodes.map((node, number) => ({ ...box(node), number, inRing: number < finding.ring }));
  const out = boxes.map(() => []);
  for (const [from, to] of finding.edges) out[from].push(to);
  for (const number of finding.path) boxes[number].isOnWay = number >= finding.ring;
  if (finding.ring > 1) placeRing(boxes, out, finding.ring);
  else placeTree(boxes, out);
  const extra = finding.root ? [root(finding, boxes.length)] : [];
  placeWay([...finding.path.map((number) => boxes[number]).filter((one) => one.isOnWay).reverse(), ...extra], boxes);
  return { boxes: [...boxes, ...extra], edges: edges(finding, boxes, extra), bounds: bounds([...boxes, ...extra]) };
}

function placeRing(boxes, out, count) {
  const widest = Math.max(...boxes.slice(0, count).map((one) => one.width));
  // An ellipse, since boxes are wide: between two neighbours there is room for a field's name.
  const circumference = count * (widest * 0.62 + 96);
  const radius = Math.max(count === 2 ? 120 : 150, circumference / (2 * Math.PI));
  const wide = Math.max(radius * 1.25, widest * 0.75 + (count === 2 ? 70 : 0));
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
      if (to < count || parents.has(to) || boxes[to].isOnWay) continue;
      parents.set(to, queue[next]);
      depth[to] = depth[queue[next]] + 1;
      queue.push(to);
    }
  }
  for (const one of boxes) {
    if (one.number >= count && !parents.has(one.number) && !one.isOnWay) queue.push(one.number);
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

/** Without a ring: from left to right, as far as each is from the first. */
function placeTree(boxes, out) {
  const column = boxes.map(() => -1);
  const columns = [];
  const visit = (start) => {
    column[start] = 0;
    const queue = [start];
    for (const number of queue) {
      (columns[column[number]] ??= []).push(number);
      for (const to of out[number]) {
        if (column[to] >= 0 || boxes[to].isOnWay) continue;
        column[to] = column[number] + 1;
        queue.push(to);
      }
    }
  };
  boxes.forEach((one) => { if (column[one.number] < 0 && !one.isOnWay) visit(one.number); });
  let x = 0;
  for (const numbers of columns) {
    const widest = Math.max(...numbers.map((number) => boxes[number].width));
    numbers.forEach((number, index) => {
      Object.assign(boxes[number], { x: x + widest / 2, y: (index - (numbers.length - 1) / 2) * 84 });
    });
    x += widest + 130;
  }
}

/** Where the way to what is still reached begins. */
function root(finding, number) {
  return { ...box({ short: finding.root, address: '', isRoot: true }), number, isOnWay: true };
}

/** The way to what is still reached comes down to where it arrives. */
function placeWay(way, boxes) {
  const placed = boxes.filter((one) => !one.isOnWay);
  let top = Math.min(...placed.map((one) => one.y));
  for (const one of way) {
    top -= 110;
    Object.assign(one, { x: placed[0].x, y: top });
  }
}

/** Several references from one to another are one edge, with all their names. */
function edges(finding, boxes, extra) {
  const found = new Map();
  for (const [from, to, field, kind] of finding.edges) {
    const key = `${from} ${to}`;
    const one = found.get(key) ?? { from, to, fields: [] };
    one.fields.push({ field, kind });
    found.set(key, one);
  }
  const all = [...found.values()];
  for (const one of all) {
    one.inRing = finding.ring > 0 && one.from < finding.ring && one.to === (one.from + 1) % finding.ring;
    one.isDouble = one.from !== one.to && found.has(`${one.to} ${one.from}`);
    one.isWeak = one.fields.every(({ kind }) => kind === 1 || kind === 2);
    one.label = one.fields.length > 2 ? `${one.fields[0].field} +${one.fields.length - 1}`
      : one.fields.map(({ field }) => field).join(', ');
  }
  for (const one of extra) all.push({ from: one.number, to: finding.rootTarget ?? 0, fields: [], label: '' });
  return all.map((one) => ({ ...one, ...curve(one, [...boxes, ...extra], finding) }));
}

/** The edge's line, the place of its label, and the direction it arrives in. */
function curve(edge, boxes, finding) {
  const [a, b] = [boxes[edge.from], boxes[edge.to]];
  if (a === b) {
    const top = a.y - a.height / 2;
    return {
      path: `M${a.x - 26} ${top}C${a.x - 74} ${top - 84} ${a.x + 74} ${top - 84} ${a.x + 26} ${top - 3}`,
      middle: { x: a.x, y: top - 66 }, end: { x: a.x + 26, y: top - 3 }, arrives: Math.PI * 0.63,
    };
  }
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length = Math.hypot(dx, dy) || 1;
  // Along a ring the line bends outwards; two that face each other keep to their right.
  const isArc = edge.inRing && finding.ring > 2;
  const isPair = edge.isDouble || (edge.inRing && finding.ring === 2);
  const bends = isArc ? 0.12 : isPair ? 0.22 : 0;
  const side = isArc ? outward(a, b) : 1;
  const bend = { x: (a.x + b.x) / 2 + dy * bends * side, y: (a.y + b.y) / 2 - dx * bends * side };
  const start = border(a, bend);
  const end = border(b, bend, 5);
  return {
    path: `M${start.x} ${start.y}Q${bend.x} ${bend.y} ${end.x} ${end.y}`,
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
  const room = 46;
  const left = Math.min(...boxes.map((one) => one.x - one.width / 2)) - room;
  const right = Math.max(...boxes.map((one) => one.x + one.width / 2)) + room;
  const top = Math.min(...boxes.map((one) => one.y - one.height / 2)) - room - 20;
  const bottom = Math.max(...boxes.map((one) => one.y + one.height / 2)) + room;
  return { x: left, y: top, width: right - left, height: bottom - top };
}
