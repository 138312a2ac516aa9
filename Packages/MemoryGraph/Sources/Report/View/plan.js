// The layout of the whole graph: each type is a district, its objects are cells in it. A cell's place is computed from
// its number, without layout or search.

/**
 * @param districts [{ count, weight }], in any order; each gets x, y, width, height, cell (a cell's size) and columns.
 * @returns {{ width, height, order }} the plan's size, and the districts by their places.
 */
export function plan(districts, aspect, cell = 16) {
  const total = districts.reduce((sum, one) => sum + one.weight, 0);
  const height = Math.sqrt((total * cell * cell) / aspect);
  const width = height * aspect;
  const order = [...districts].sort((a, b) => b.weight - a.weight);
  divide(order, { x: 0, y: 0, width, height }, (width * height) / total);
  for (const one of order) inner(one, cell, height);
  return { width, height, order };
}

/** A squarified treemap (Bruls, Huizing, van Wijk 2000): areas by weight, as square as possible. */
function divide(order, room, scale) {
  let start = 0;
  while (start < order.length) {
    const side = Math.min(room.width, room.height);
    let [sum, best, end] = [0, Infinity, start];
    while (end < order.length) {
      const next = sum + order[end].weight * scale;
      const [largest, smallest] = [order[start].weight * scale, order[end].weight * scale];
      const worst = Math.max((side * side * largest) / next ** 2, next ** 2 / (side * side * smallest));
      if (worst > best) break;
      [sum, best, end] = [next, worst, end + 1];
    }
    const thick = sum / side;
    const isRow = room.width < room.height;
    let along = isRow ? room.x : room.y;
    for (const one of order.slice(start, end)) {
      const length = (one.weight * scale) / thick;
      Object.assign(one, isRow ? { x: along, y: room.y, width: length, height: thick }
        : { x: room.x, y: along, width: thick, height: length });
      along += length;
    }
    if (isRow) [room.y, room.height] = [room.y + thick, room.height - thick];
    else [room.x, room.width] = [room.x + thick, room.width - thick];
    start = end;
  }
}

/** A margin around the district, a heading with its name, and the largest cells with which all fit. */
function inner(one, cell, planHeight) {
  const margin = Math.min(cell / 2, one.width / 12, one.height / 12);
  const head = Math.min(one.height * 0.3, planHeight * 0.028);
  one.left = one.x + margin;
  one.top = one.y + margin + head;
  one.head = head;
  const [width, height] = [one.width - 2 * margin, one.height - 2 * margin - head];
  let size = Math.sqrt((width * height) / one.count);
  while (Math.floor(width / size) * Math.floor(height / size) < one.count) size *= 0.985;
  size = Math.min(size, cell * 12);
  one.cell = size;
  one.columns = Math.floor(width / size);
}

/** A cell's middle, by its number. */
export function middle(one, index) {
  const [column, row] = [index % one.columns, Math.floor(index / one.columns)];
  return [one.left + (column + 0.5) * one.cell, one.top + (row + 0.5) * one.cell];
}

/** The district at a point, and the number of the cell in it or -1. */
export function hit(order, x, y) {
  const one = order.find((it) => x >= it.x && x < it.x + it.width && y >= it.y && y < it.y + it.height);
  if (!one) return undefined;
  const [column, row] = [Math.floor((x - one.left) / one.cell), Math.floor((y - one.top) / one.cell)];
  const index = row * one.columns + column;
  return { district: one, index: column >= 0 && column < one.columns && row >= 0 && index < one.count ? index : -1 };
}
