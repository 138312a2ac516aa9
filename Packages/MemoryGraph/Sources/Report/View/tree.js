// The layout of boxes without a ring: in columns, or as an outline, depending on the window's shape. Pure.

const row = 82; // distance between a box and the one below
const indent = 44;
const headroom = 34; // above a box that refers to itself

export function treePlans(story, edges) {
  const { boxes } = story;
  for (const box of boxes) box.headroom = 0;
  for (const { from, to } of edges) if (from === to) boxes[from].headroom = headroom;
  return [
    { kind: 'columns', enough: 0.8, place: () => placeColumns(boxes, edges) },
    { kind: 'outline', place: () => placeOutline(boxes) },
  ];
}

/** The path: the root first, then each step in order. */
export function wayOf(boxes) {
  const way = boxes.filter((one) => one.onWay);
  return [...way.filter((one) => one.root), ...way.filter((one) => !one.root)];
}

/** Columns from left to right, by the distance from the first box; with room for labels in between. */
function placeColumns(boxes, edges) {
  const way = wayOf(boxes);
  way.forEach((box, place) => { box.level = place - way.length; });
  const gaps = new Map();
  for (const { from, to, labelWidth } of edges) {
    const [a, b] = [boxes[from].level, boxes[to].level];
    if (Math.abs(a - b) === 1) gaps.set(Math.min(a, b), Math.max(gaps.get(Math.min(a, b)) ?? 0, labelWidth));
  }
  const levels = new Map();
  for (const box of boxes) levels.set(box.level, [...(levels.get(box.level) ?? []), box]);
  let left = 0;
  for (const level of [...levels.keys()].sort((a, b) => a - b)) {
    const all = levels.get(level);
    const width = Math.max(...all.map((box) => box.width));
    const height = all.reduce((sum, box) => sum + row + box.headroom, 0) - row;
    let y = -height / 2 - (all.length === 1 ? all[0].headroom / 2 : 0);
    for (const box of all) {
      y += box.headroom;
      Object.assign(box, { x: left + width / 2, y, width });
      y += row;
    }
    left += width + Math.min(Math.max((gaps.get(level) ?? 0) + 52, 90), 260);
  }
}

/** An outline: retained boxes are indented below a box, referring ones are above it. */
function placeOutline(boxes) {
  const children = new Map();
  for (const box of boxes) {
    if (box.parent !== undefined) children.set(box.parent, [...(children.get(box.parent) ?? []), box]);
  }
  const put = (box, depth, y) => Object.assign(box, { x: depth * indent + box.width / 2, y });
  const firsts = boxes.filter((box) => box.parent === undefined && !box.onWay);
  let [top, bottom] = [0, 0];
  const down = (box, depth) => {
    put(box, depth, bottom += box.headroom);
    bottom += row;
    for (const one of children.get(box.number) ?? []) if (one.level > 0) down(one, depth + 1);
  };
  const up = (box, depth) => {
    for (const one of children.get(box.number) ?? []) {
      if (one.level >= 0) continue;
      put(one, depth, top -= row);
      top -= one.headroom;
      up(one, depth + 1);
    }
  };
  for (const box of firsts) down(box, 0);
  const [first] = firsts;
  top = first.y - first.headroom;
  up(first, 1);
  for (const box of wayOf(boxes).reverse()) {
    put(box, 0, top -= row);
    top -= box.headroom;
  }
}
