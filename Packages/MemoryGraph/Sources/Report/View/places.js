// Geometry: rectangles, lines, and free places. Pure functions, without a page.

/** True if no box overlaps a text, given by its middle and half of its size. */
export const isFree = (boxes, x, y, wide, high) => !boxes.some((box) => (
  Math.abs(x - box.x) < box.width / 2 + wide && Math.abs(y - box.y) < box.height / 2 + high));

/** True if two boxes are closer than `across` horizontally and `down` vertically. */
export const areClose = (a, b, across, down) => (
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 + across && Math.abs(a.y - b.y) < (a.height + b.height) / 2 + down);

/** A point of a Bézier curve. */
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

/** Points of a Bézier curve, from its beginning to its end. */
export const along = (line, parts) => Array.from({ length: parts + 1 }, (_, part) => onLine(line, part / parts));

/** True if a straight line between two points crosses a box with some margin. */
export function isCrossed(box, [ax, ay], [bx, by], room = 0) {
  let [from, to] = [0, 1];
  for (const [start, way, middle, half] of [
    [ax, bx - ax, box.x, box.width / 2 + room], [ay, by - ay, box.y, box.height / 2 + room]]) {
    if (way === 0) {
      if (Math.abs(start - middle) > half) return false;
      continue;
    }
    const ends = [(middle - half - start) / way, (middle + half - start) / way];
    from = Math.max(from, Math.min(...ends));
    to = Math.min(to, Math.max(...ends));
    if (from > to) return false;
  }
  return true;
}

/** The point where the line from a box's middle to a point leaves the box. */
export function border(one, point, gap = 0) {
  const [dx, dy] = [point.x - one.x, point.y - one.y];
  const across = dx === 0 ? Infinity : (one.width / 2 + gap) / Math.abs(dx);
  const down = dy === 0 ? Infinity : (one.height / 2 + gap) / Math.abs(dy);
  const scale = Math.min(across, down, 1);
  return { x: one.x + dx * scale, y: one.y + dy * scale };
}

/** The rectangle around boxes and points. */
export function around(boxes, points = []) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const take = (x, y) => {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  };
  for (const { x, y, width, height } of boxes) {
    take(x - width / 2, y - height / 2);
    take(x + width / 2, y + height / 2);
  }
  for (const [x, y] of points) take(x, y);
  return { x: left, y: top, width: right - left, height: bottom - top };
}
