import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import './modules.mjs';

const view = new URL('../../Sources/Report/View/', import.meta.url);
const { hit, middle, plan } = await import(new URL('plan.js', view));
const { picture } = await import(new URL('layout.js', view));
const { onLine } = await import(new URL('places.js', view));
const { withoutModules } = await import(new URL('shorten.js', view));

/** Districts of random sizes, from a seed. */
function districts(count) {
  let seed = 7;
  return Array.from({ length: count }, () => {
    seed = (seed * 48271) % 2147483647;
    const blocks = 1 + Math.floor((seed / 2147483647) ** 9 * 60_000);
    return { count: blocks, weight: blocks ** 0.75 + 1 };
  });
}

test('every cell of the whole graph lies in its own district, at a place of its own', () => {
  for (const [number, aspect] of [[1, 1], [2, 0.4], [300, 1.6], [3000, 2.5]]) {
    const { order, width, height } = plan(districts(number), aspect);
    assert.ok(Math.abs(width / height - aspect) < 1e-9);
    for (const one of order) {
      assert.ok(one.x > -1e-6 && one.x + one.width < width + 1e-6 && one.y + one.height < height + 1e-6);
      for (const index of new Set([0, one.count >> 1, one.count - 1])) {
        const [x, y] = middle(one, index);
        assert.ok(x < one.x + one.width && y < one.y + one.height);
        assert.deepEqual(hit(order, x, y), { district: one, index });
      }
    }
    // They fill the plan, and none covers another.
    const area = order.reduce((sum, one) => sum + one.width * one.height, 0);
    assert.ok(Math.abs(area / (width * height) - 1) < 1e-6);
  }
  assert.equal(hit(plan(districts(3), 1).order, -5, 0), undefined);
});

/** A story as made by story.js, of boxes and of edges between them. */
function story(boxes, edges, ringCount = 0) {
  return {
    boxes: boxes.map((box, number) => ({ number, title: 'Node', subtitle: '0x10', ...box })), ringCount, hidden: 0,
    edges: () => edges.map(([from, to]) => (
      { from, to, refs: [], label: 'next', inRing: to === (from + 1) % ringCount })),
  };
}
const wide = (text) => text.length * 8;
/** The scale at which bounds fit into a window. */
const into = (width, height) => (bounds) => Math.min(width / bounds.width, height / bounds.height, 1.25);
const desktop = into(1280, 800);
const phone = into(390, 780);
const overlap = (a, b) => Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < a.height;

test('a ring is round, in its order, and no box covers another, whatever the window’s shape', () => {
  for (const count of [2, 3, 10, 15, 200]) {
    for (const window of [phone, desktop]) {
      const ring = Array.from({ length: count }, (_, number) => [number, (number + 1) % count]);
      const { boxes, bounds } = picture(story(ring.map(() => ({ inRing: true })), ring, count), wide, window);
      for (const [number, box] of boxes.entries()) {
        for (const other of boxes.slice(number + 1)) {
          assert.ok(!overlap(box, other), `${count}, ${window === phone ? 'phone' : 'desktop'}`);
        }
        assert.ok(box.x - box.width / 2 > bounds.x && box.y + box.height / 2 < bounds.y + bounds.height);
        const next = boxes[(number + 1) % count];
        if (count > 2) assert.ok(box.x * next.y - box.y * next.x > 0);
      }
    }
  }
});

test('what leads to a ring stands above it, and what it keeps around it', () => {
  const boxes = [...Array(4).fill({ inRing: true }), { onWay: true }, {}, { root: true, onWay: true, title: 'root' }];
  const made = picture(story(boxes, [[0, 1], [1, 2], [2, 3], [3, 0], [4, 0], [2, 5], [6, 4]], 4), wide, desktop);
  const [first, , , , way, kept, root] = made.boxes;
  assert.ok(root.y < way.y && way.y < first.y);
  assert.ok(Math.hypot(kept.x, kept.y) > Math.hypot(made.boxes[2].x, made.boxes[2].y));
});

test('names of references lie off the boxes, and between columns there is room for them', () => {
  const label = 'aFieldWithALongName';
  const boxes = [{ level: 0 }, { level: 1 }, { level: 2 }, { level: -1 }];
  const told = story(boxes, [[0, 1], [1, 2], [3, 0], [0, 2], [2, 3]]);
  const edges = told.edges().map((edge) => ({ ...edge, label }));
  const made = picture({ ...told, edges: () => edges }, wide, desktop);
  for (const { from, to, middle, labelWidth, isCovered } of made.edges) {
    const isNext = Math.abs(boxes[from].level - boxes[to].level) === 1;
    if (isNext) assert.ok(!isCovered);
    if (isCovered) continue;
    for (const box of made.boxes) {
      assert.ok(!overlap({ ...middle, width: labelWidth, height: 13 }, { ...box, height: 28 }), `${from} ${to}`);
    }
  }
});

test('around an object columns go from left to right, and many share a column', () => {
  const boxes = [{ level: 0 }, ...Array(40).fill({ level: 1 }), { level: -1 }];
  const edges = [[41, 0], ...Array.from({ length: 40 }, (_, number) => [0, number + 1])];
  const { boxes: placed } = picture(story(boxes, edges), wide, desktop);
  assert.ok(placed[41].x < placed[0].x && placed.slice(1, 41).every((one) => one.x > placed[0].x));
  for (const [number, box] of placed.entries()) {
    for (const other of placed.slice(number + 1)) assert.ok(!overlap(box, other));
  }
});

test('names lose the modules in them, whatever they are made of', () => {
  for (const [name, short] of [
    ['Victim.Controls.Node', 'Controls.Node'], ['Foundation.URL', 'URL'], ['__StringStorage', '__StringStorage'],
    ['Dictionary<Swift.Int, Array<Victim.Controls.Node>> storage', 'Dictionary<Int, Array<Controls.Node>> storage'],
    ['closure capturing weak Optional<Victim.Ticker>', 'closure capturing weak Optional<Ticker>'],
    ['Victim.Tree<Victim.Größe>.Branch', 'Tree<Größe>.Branch'], ['Käfig.Öse', 'Öse'],
  ]) assert.equal(withoutModules(name), short);
});

test('under a box the lines of each kind have a stem of their own, and what leads farthest is left', () => {
  const kinds = [0, 0, 4, 1, 4];
  const boxes = [{ level: 0 }, ...kinds.map(() => ({ level: 1, parent: 0 })), { level: -1, parent: 0 }];
  const told = story(boxes, [...kinds.map((_, number) => [0, number + 1]), [6, 0]]);
  const edges = told.edges().map((edge, number) => ({ ...edge, kind: kinds[number] ?? 0 }));
  const narrow = picture({ ...told, edges: () => edges }, wide, into(300, 900));
  assert.equal(narrow.plan, 'outline');
  const [first, second, third, fourth, fifth, above] = narrow.edges.map((edge) => edge.line[0]);
  assert.ok(first === second && third === fifth && new Set([first, third, fourth]).size === 3);
  assert.ok(third < fourth && fourth < first);
  assert.ok(Number.isFinite(above));
});

test('an arrow points at the box that it leads to, however wide that is', () => {
  for (let count = 2; count < 10; count += 1) {
    for (let large = 0; large < count; large += 1) {
      const ring = Array.from({ length: count }, (_, number) => [number, (number + 1) % count]);
      const told = ring.map((_, number) => (
        { inRing: true, title: number === large ? 'state of a dispatch source' : 'Node' }));
      for (const window of [phone, desktop]) {
        const { boxes, edges } = picture(story(told, ring, count), wide, window);
        for (const { to, end, arrives } of edges) {
          const [x, y] = [end.x + 16 * Math.cos(arrives), end.y + 16 * Math.sin(arrives)];
          const { width, height, ...box } = boxes[to];
          const isHit = Math.abs(x - box.x) <= width / 2 + 3 && Math.abs(y - box.y) <= height / 2 + 3;
          assert.ok(isHit, `${count}, ${large}, to ${to}`);
        }
      }
    }
  }
});

test('a name on a short line stands beside it, and leaves its arrow and its dashes to be seen', () => {
  for (const count of [2, 6, 10, 14]) {
    const ring = Array.from({ length: count }, (_, number) => [number, (number + 1) % count]);
    for (const window of [phone, desktop]) {
      const told = [...ring.map(() => ({ inRing: true })), { onWay: true }, { root: true, onWay: true, title: 'root' }];
      const edges = [...ring, [count, 0], [count + 1, count]];
      const made = picture(story(told, edges, count), wide, window);
      for (const { line, middle, labelWidth, isCovered } of made.edges) {
        if (isCovered) continue;
        const seen = Array.from({ length: 33 }, (_, part) => onLine(line, part / 32))
          .filter(([x, y]) => Math.abs(x - middle.x) > labelWidth / 2 || Math.abs(y - middle.y) > 8);
        const length = Math.hypot(line.at(-2) - line[0], line.at(-1) - line[1]);
        assert.ok((seen.length / 33) * length > 30, `${count}, ${seen.length} of ${length}`);
      }
    }
  }
});

test('who reads German reads every remark and every damage in German', async () => {
  Object.defineProperty(globalThis, 'navigator', { value: { language: 'de-DE' }, configurable: true });
  const { words } = await import(new URL('words.js?german', view));
  const sources = new URL('../../Sources/', import.meta.url);
  const text = ['Capture', 'Graph', 'MemoryCommand'].flatMap((folder) => readdirSync(new URL(folder, sources))
    .filter((name) => /^(?!CaptureError|Refusal).*\.swift$/.test(name))
    .map((name) => readFileSync(new URL(`${folder}/${name}`, sources), 'utf8'))).join('\n');
  // Texts of Swift's, with a number in the place of every value; those of two lines are one.
  const texts = [...text.replace(/"\n +\+ "/g, '').matchAll(/"""\n([^]*?)\n *"""|"((?:\\.|[^"\\\n])+)"/g)]
    .map(([, long, short]) => (long ?? short).trim().replace(/\\\n */g, '')
      .replace(/\\\((?:[^()]|\([^()]*\))*\)/g, '77').replaceAll('\\"', '"'));
  const start = new RegExp('^(77 From there|(The (heap|arena) (at 77|is corrupted))|There (is no Swift|were more)|'
    + 'Heaps of|lldb has|The types of|What (the program has|is behind)|Probably|The process ended before)');
  const remarks = texts.filter((one) => start.test(one));
  assert.ok(remarks.length >= 14, remarks.join('\n'));
  for (const one of remarks) {
    assert.doesNotMatch(words.remark(one), /\b(the|of|is|were|there|not|has|from)\b/i, one);
  }
});
