// The gallery: rows, groups, the elements that are used again and again, ThumbHash, and which pictures are seen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { shape } from './shape.mjs';

const at = '/albums/album/gallery';
const { aspectOf, beside, GAP, layout, seenBetween } = await page(`${at}/layout.js`);
const { groupsByTaking, groupsOf, momentOf, spansOf } = await page(`${at}/groups.js`);
const { bytesOf, decode, meanOf } = await page('/pictures/thumbhash.js');
const { Recycler } = await page('/pictures/recycler.js');
const { bindCell, cellsIn, drawCells } = await page('/pictures/cell.js');
const { FLING, Speed } = await page('/pictures/fling.js');
const { lastUpTo } = await page('/pictures/measures.js');
const { clockOf, dayOf, monthOf, whenOf, words } = await page(`${at}/words.js`);
const { chosen, people, seen } = await page(`${at}/choosing.js`);
const { stepIn } = await page(`${at}/back.js`);
const { itemOf, sizeFor } = await page(`${at}/item.js`);
const { dictionary } = await page(`${at}/words.js`);

const SHAPES = [1.5, 0.75, 1.33, 1, 1.78, 0.56];
const aspects = (count) => Float32Array.from({ length: count }, (_, index) => SHAPES[(index * 7) % SHAPES.length]);

test('full rows are exactly as wide as the page, in whole pixels, with the same gaps', () => {
  for (const width of [358, 736, 1216]) {
    const { x, w, h, y, rowFirst, rowTop } = layout(aspects(500), [{ first: 0, count: 500 }], width);
    for (let row = 0; row < rowFirst.length - 2; row += 1) {
      const [first, end] = [rowFirst[row], rowFirst[row + 1]];
      assert.equal(x[end - 1] + w[end - 1], width);
      for (let one = first + 1; one < end; one += 1) assert.equal(x[one] - (x[one - 1] + w[one - 1]), GAP);
      assert.deepEqual([...new Set(h.slice(first, end))].length, 1);
      assert.equal(y[first], rowTop[row]);
      assert.equal(rowTop[row + 1], rowTop[row] + h[first] + GAP);
    }
  }
});

test('rows are about as high as wished, and a single picture is not stretched', () => {
  const { h, x, w, rowFirst } = layout(aspects(301), [{ first: 0, count: 301 }], 1216, { wished: 200 });
  const heights = rowFirst.slice(0, -1).map((first) => h[first]);
  const [least, most] = [Math.min(...heights), Math.max(...heights)];
  assert.ok(least >= 130 && most < 280, `${least} ${most}`);
  const single = layout([1.5], [{ first: 0, count: 1 }], 1216, { wished: 200 });
  assert.equal(single.h[0], 270);
  assert.ok(x[300] + w[300] <= 1216);
});

test('a new picture changes the uppermost rows only: what one reads is where it was', () => {
  for (let count = 40; count < 60; count += 1) {
    const all = aspects(60).slice(60 - count);
    const more = Float32Array.from([1.2, ...all]);
    const before = layout(all, [{ first: 0, count }], 736);
    const after = layout(more, [{ first: 0, count: count + 1 }], 736);
    const stays = [...all.keys()].filter((one) => before.y[one] > 3 * 240);
    assert.ok(stays.length > 4);
    for (const one of stays) {
      assert.equal(before.height - before.y[one], after.height - after.y[one + 1]);
      assert.equal(before.x[one], after.x[one + 1]);
    }
    const heights = [...new Set(after.h)];
    assert.ok(Math.max(...heights) <= 168 * 1.6 && Math.min(...heights) >= 168 * 0.6, `${count}: ${heights}`);
  }
});

test('pictures keep their proportions, but for those that are far too wide, too tall, or not measured yet', () => {
  const { w, h } = layout(aspects(60), [{ first: 0, count: 60 }], 1216);
  for (let one = 0; one < 59; one += 1) assert.ok(Math.abs(w[one] / h[one] - aspects(60)[one]) < 0.04, String(one));
  assert.deepEqual([aspectOf({ width: 9000, height: 100 }), aspectOf({ width: 1, height: 9 }),
    aspectOf({ width: 0, height: 0 })], [3.2, 0.45, 1.5]);
});

test('ten thousand pictures are laid out in a moment', () => {
  const many = aspects(10_000);
  layout(many, [{ first: 0, count: 10_000 }], 1216); // once to be compiled
  const begun = performance.now();
  const plan = layout(many, [{ first: 0, count: 10_000 }], 1216, { head: 44 });
  const took = performance.now() - begun;
  assert.ok(took < 100, `${took} ms`); // about 10; a busy machine takes longer
  assert.ok(plan.height > 100_000);
});

test('what is on the screen is found by its height', () => {
  const plan = layout(aspects(1000), [{ first: 0, count: 400 }, { first: 400, count: 600 }], 1216, { head: 44 });
  const [first, end] = seenBetween(plan, 3000, 3800);
  for (let one = 0; one < 1000; one += 1) {
    const isSeen = plan.y[one] + plan.h[one] > 3000 && plan.y[one] < 3800;
    if (isSeen) assert.ok(one >= first && one < end, String(one));
  }
  assert.ok(end - first < 60);
  assert.deepEqual(seenBetween(plan, -900, -100), [0, 0]);
  assert.deepEqual(seenBetween(layout([], [], 1216), 0, 800), [0, 0]);
  assert.equal(lastUpTo([0, 5, 9], 8), 1);
});

test('the arrow keys reach the picture above and below', () => {
  const plan = layout(aspects(60), [{ first: 0, count: 60 }], 1216);
  const below = beside(plan, 1, 1);
  const middle = (one) => plan.x[one] + plan.w[one] / 2;
  const row = [...plan.y.keys()].filter((one) => plan.y[one] === plan.y[below]);
  const off = row.map((one) => Math.abs(middle(one) - middle(1)));
  assert.equal(below, row[off.indexOf(Math.min(...off))]);
  assert.equal(plan.y[below], plan.y[1] + plan.h[1] + GAP);
  assert.equal(beside(plan, 0, -1), 0);
  assert.equal(beside(plan, 59, 1), 59);
});

const day = (text) => new Date(`2026-11-21T${text}:00`).getTime();

test('pictures stand beneath the hours of their day, and few of them with those of the next', () => {
  const evening = Array.from({ length: 12 }, (_, index) => day('18:50') - index * 60_000);
  const groups = groupsOf([day('21:10'), day('20:05'), day('19:30'), ...evening, day('14:20'), day('13:10')]);
  assert.deepEqual(groups.map(({ from, until, first, count }) => [new Date(from).getHours(),
    new Date(until).getHours(), first, count]), [[19, 22, 0, 3], [13, 19, 3, 14]]);
  assert.ok(groups.every(({ kind }) => kind === 'hours'));
});

test('a group that is complete stays as it is when newer pictures come', () => {
  const old = Array.from({ length: 30 }, (_, index) => day('18:50') - index * 120_000);
  const before = groupsOf(old);
  const after = groupsOf([day('19:20'), ...old]);
  const group = ({ from, until, count }) => [from, until, count];
  assert.deepEqual(after.slice(1).map(group), before.map(group));
});

test('an album of many days is told by days', () => {
  const moments = Array.from({ length: 6 }, (_, index) => day('12:00') - index * 86_400_000);
  assert.deepEqual(groupsOf(moments).map(({ kind, count }) => [kind, count]), Array(6).fill(['day', 1]));
  assert.deepEqual(groupsOf([]), []);
});

test('of an hour that comes twice, each is told by itself', () => {
  const { TZ } = process.env;
  process.env.TZ = 'Europe/Berlin';
  try {
    const two = Date.parse('2026-10-25T00:00:00Z'); // in summer time; an hour later it is two o'clock again
    const moments = Array.from({ length: 40 }, (_, index) => two + (119 - 3 * index) * 60_000 + 500);
    assert.deepEqual(groupsOf(moments).map(({ from, count }) => [(from - two) / 60_000, count]), [[60, 20], [0, 20]]);
    const scanned = Date.parse('1969-05-01T10:20:30Z');
    assert.deepEqual(groupsOf([scanned]).map(({ from }) => (scanned - from) / 1000), [20 * 60 + 30]);
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
});

test('ThumbHash is decoded as others decode it', () => {
  // Made and decoded with thumbhash-python 1.0.1, at 32 pixels: the first, middle and last of their pixels.
  const known = [
    ['YgYKPJqwZodwh3h6hoYggAP4hw==', [32, 18], [[0, 0, 255], [133, 0, 172], [106, 124, 64], [240, 227, 234]]],
    ['YvYJPRqgdnCHt2doiIZ4hzCAAfd4', [23, 32], [[0, 0, 255], [112, 0, 191], [114, 107, 56], [224, 237, 240]]],
    ['YgYKPxqwdndwh4h7hWiId4iHBwIocI8I', [32, 32], [[0, 0, 255], [145, 0, 186], [114, 110, 55], [239, 226, 243]]],
  ];
  for (const [text, [width, height], colours] of known) {
    const made = decode(bytesOf(text), 32);
    assert.deepEqual([made.width, made.height], [width, height]);
    const places = [0, width >> 1, ((width * height) >> 1) + (width >> 1), width * height - 1];
    places.forEach((place, index) => colours[index].forEach((value, channel) => {
      assert.ok(Math.abs(made.pixels[place * 4 + channel] - value) <= 1, `${text} at ${place}`);
    }));
  }
  assert.deepEqual(meanOf(bytesOf(known[0][0])).length, 3);
});

test('what is no ThumbHash does no harm', () => {
  assert.deepEqual([bytesOf('%%%'), bytesOf('AA=='), bytesOf('')], [null, null, null]);
  for (let length = 5; length < 40; length += 1) {
    const { width, height } = decode(Uint8Array.from({ length }, (_, index) => (index * 89 + length * 31) & 255));
    assert.ok(width >= 1 && height >= 1 && width <= 24 * 7 && height <= 24 * 7);
  }
});

/** A list of `count` entries whose elements are plain objects. */
function recycled(keys) {
  const log = { made: 0, bound: 0 };
  const cells = new Recycler({
    keyOf: (index) => keys[index],
    make: () => ({ number: log.made += 1 }),
    free: (cell) => { cell.shows = null; },
    bind: (cell, index) => {
      log.bound += 1;
      cell.shows = keys[index];
    },
  });
  return { cells, log };
}

test('a screen reader goes through the pictures in their order, not in that of their elements', (context) => {
  let owned = '';
  const list = { append() {}, setAttribute: (_, ids) => { owned = ids; } };
  const classList = { add() {}, remove() {}, toggle() {}, contains: () => false };
  globalThis.document = { createElement: () => ({
    style: {}, classList, append() {}, setAttribute() {}, removeAttribute() {}, closest: () => list,
  }) };
  context.after(() => { delete globalThis.document; });
  const cells = cellsIn(list, (index) => `p${index}`, (cell, index) =>
    bindCell(cell, {}, { x: 0, y: 0, w: 1, h: 1 }, { index, count: 9, label: '', isActive: false }));
  const seen = (first, end) => {
    cells.show(first, end);
    drawCells(cells.cells, { most: 0, isStill: true, sourceOf: () => '' });
    return owned;
  };
  assert.equal(seen(0, 3), 'picture-1 picture-2 picture-3');
  assert.equal(seen(1, 4), 'picture-2 picture-3 picture-1');
  assert.equal(seen(0, 3), 'picture-1 picture-2 picture-3');
});

test('a long list has as many elements as are seen, and uses them again', () => {
  const keys = Array.from({ length: 10_000 }, (_, index) => `p${index}`);
  const { cells, log } = recycled(keys);
  for (let first = 0; first < 9_900; first += 37) {
    cells.show(first, first + 80);
    assert.deepEqual([...cells.cells].map(({ shows }) => shows).sort(), keys.slice(first, first + 80).sort());
  }
  assert.ok(log.made <= 160, String(log.made));
  const before = log.bound;
  assert.equal(cells.show(9_879, 9_959), false);
  assert.equal(log.bound, before);
});

test('an entry that moves keeps its element, and the one that the keys have reached stays', () => {
  const keys = ['a', 'b', 'c', 'd', 'e'];
  const { cells } = recycled(keys);
  cells.show(0, 3);
  const element = cells.at('b');
  keys.unshift('new');
  cells.show(0, 3, -1, true);
  assert.equal(cells.at('b'), element);
  assert.equal(cells.at('c'), undefined);
  cells.show(4, 6, 0);
  assert.equal(cells.at('new').shows, 'new');
  assert.equal(cells.size, 3);
});

test('a page that is thrown is told from one that is read', () => {
  const speed = new Speed();
  for (let frame = 0; frame < 30; frame += 1) speed.moved(frame * 50, frame * 16.7);
  assert.ok(speed.isFlung); // 3,000 pixels a second
  speed.settle();
  assert.ok(!speed.isFlung);
  for (let frame = 0; frame < 30; frame += 1) speed.moved(5000 + frame * 8, 9000 + frame * 16.7);
  assert.ok(!speed.isFlung, `below ${FLING}`);
});

const picture = (id, fields = {}) => ({ id, at: `2026-11-21T18:${id.padStart(2, '0')}:00Z`, state: 'shown', hearts: 0,
  by: { id: 'ada', name: 'Ada' }, ...fields });

test('one sees what is shown and what is one’s own, newest first', () => {
  const all = [picture('1'), picture('2', { state: 'waiting' }), picture('3', { state: 'hidden', mine: true }),
    picture('4', { by: { id: 'ben', name: 'Ben' }, hearts: 2 }), picture('5', { hearts: 5, state: 'making' })];
  const ids = (...how) => chosen(all, ...how).map(({ id }) => id);
  assert.deepEqual(ids(), ['5', '4', '3', '1']);
  assert.deepEqual(ids('mine'), ['3']);
  assert.deepEqual(ids('hearts'), ['5', '4']);
  assert.deepEqual(ids('all', 'ben'), ['4']);
  assert.deepEqual(people(all).map(({ name, count }) => [name, count]), [['Ada', 3], ['Ben', 1]]);
  const late = [picture('1', { at: '2026-11-21T20:00:00Z' }), picture('2')];
  assert.deepEqual(chosen(late).map(({ id }) => id), ['1', '2'], 'by the time, wherever it stands in the list');
  assert.equal(momentOf({ at: 12 }), 12_000);
});

test('all pages count what the gallery shows: a live photo once, and a file that cannot be shown', () => {
  const all = [picture('1', { kind: 'photo', pair: '2' }), picture('2', { kind: 'video', pair: '1' }),
    picture('3', { state: 'failed' }), picture('4', { state: 'waiting' })];
  assert.deepEqual([seen(all).length, chosen(all).length, people(all)[0].count], [2, 2, 2]);
});

test('by taking, a phone whose clock is off by years has days of its own, and the unknown come last', () => {
  const all = [picture('1', { taken: '2026-11-21T18:30:00' }), picture('2'),
    picture('3', { taken: '2006-01-01T00:00:09' }), picture('4', { taken: '2026-11-21T19:10:00' }),
    picture('5', { taken: 'nonsense' })];
  const found = chosen(all, 'all', '', null, true);
  assert.deepEqual(found.map(({ id }) => id), ['4', '1', '3', '5', '2']);
  assert.deepEqual(groupsByTaking(found).map(({ kind, first, count }) => [kind, first, count]),
    [['day', 0, 2], ['day', 2, 1], ['untimed', 3, 2]]);
  assert.deepEqual(groupsByTaking(found.slice(0, 2)).map(({ kind, count }) => [kind, count]), [['hours', 2]]);
  assert.deepEqual(groupsByTaking(found.slice(3)).map(({ kind, count }) => [kind, count]), [['untimed', 2]]);
  assert.match(dayOf(Date.parse('2006-01-01T12:00:00'), Date.parse('2026-11-21T12:00:00')), /2006/);
});

test('one goes to a day by when pictures were taken, and in an album of many days to a month', () => {
  const days = (count) => Array.from({ length: count }, (_, index) => picture(`${index}`, {
    taken: new Date(Date.UTC(2024, 10, 1 + index, 12)).toISOString().slice(0, 19) }));
  const all = [...days(70), picture('unknown')];
  const spans = (some) => spansOf(groupsByTaking(chosen(some, 'all', '', null, true)));
  assert.deepEqual(spans(all).map(({ from }) => monthOf(from)), [0, -1, -2].map((one) => monthOf(new Date(2025, one))));
  assert.equal(chosen(all, 'all', '', spans(all)[1], true).length, 31);
  assert.deepEqual(spans(days(31)).map(({ kind }) => kind), Array(31).fill('day'));
  assert.deepEqual(chosen(all, 'all', '', spans(days(31))[0], true).map(({ id }) => id), ['30']);
});

test('the length of a film is told in minutes and seconds', () => {
  assert.deepEqual([0.4, 59.4, 59.6, 119.7, 3599.5].map(clockOf), ['0:00', '0:59', '1:00', '2:00', '60:00']);
});

test('of a picture it is told when it was taken, where that is known', () => {
  const [came, taken] = [picture('1'), picture('2', { taken: '2006-07-05T12:34:00' })].map(whenOf);
  assert.equal(taken, words.taken(`${dayOf(new Date(2006, 6, 5))} 12:34`));
  assert.doesNotMatch(came, new RegExp(words.taken('')));
});

test('the size is fetched that is good enough, and no larger', () => {
  const sizes = { preview: 'p', 320: 's', 1600: 'l' };
  assert.equal(sizeFor({ sizes, width: 3, height: 2 }, 300), 's');
  assert.equal(sizeFor({ sizes, width: 3, height: 2 }, 900), 'l');
  assert.equal(sizeFor({ sizes, width: 2, height: 3 }, 500), 'l', 'sizes are of the longer edge');
  assert.equal(sizeFor({ sizes, width: 9_000, height: 1_200 }, 600), 'l', 'the ends of a panorama are not seen');
  assert.equal(sizeFor({ sizes, width: 3_200, height: 1_000 }, 600), 's');
  assert.equal(sizeFor({ sizes: { preview: 'p' }, width: 3, height: 2 }, 300), 'p');
  assert.equal(sizeFor({ sizes: {}, width: 3, height: 2 }, 300), null);
});

test('the whole screen gets the largest size, in its own proportions', () => {
  const made = itemOf(picture('1', { kind: 'photo', width: 4032, height: 3024, sizes: { 320: 's', 1600: 'l' } }));
  assert.deepEqual([made.src, made.width, made.height], ['l', 1600, 1200]);
  const video = itemOf(picture('2', { kind: 'video', video: 'v', width: 720, height: 1280, sizes: { 320: 's' } }));
  assert.deepEqual([video.type, video.video, video.poster], ['video', 'v', 's']);
});

test('a picture on the whole screen is one step of the history, however it is closed', () => {
  const steps = [null];
  let listener = null;
  const world = {
    history: {
      get state() { return steps.at(-1); },
      pushState: (state) => steps.push(state),
      back: () => {
        steps.pop();
        listener?.();
      },
    },
    addEventListener: (_, act) => { listener = act; },
    removeEventListener: () => { listener = null; },
  };
  let closed = 0;
  const closing = () => {
    closed += 1;
    end();
  };
  let end = stepIn(closing, world);
  assert.equal(steps.length, 2);
  world.history.back();
  assert.deepEqual([steps.length, closed], [1, 1], 'by going back');
  end = stepIn(closing, world);
  end();
  assert.deepEqual([steps.length, closed, listener], [1, 1, null], 'by a key');
  steps.push({ isPicture: true });
  end = stepIn(closing, world);
  assert.equal(steps.length, 2, 'after a reload no step more');
});

test('German says everything that English says', () => {
  assert.deepEqual(shape(dictionary.de), shape(dictionary.en));
});

test('a guest without a name stands in sentences as one', async () => {
  const { dictionary: host } = await page('/albums/host/words.js');
  const { dictionary: wall } = await page('/albums/wall/words.js');
  for (const [to, words, name] of [['en', 'by', 'a guest'], ['de', 'von', 'einem Gast']]) {
    const said = [dictionary[to].label('…', undefined, 'x'), host[to].pictureBy(), host[to].answered.shown(),
      host[to].answered.hidden(), wall[to].picture()];
    for (const text of said) assert.match(text, new RegExp(`${words} ${name}\\b`));
    assert.match(dictionary[to].label('…', 'Ada', 'x'), new RegExp(`${words} Ada, x`));
  }
});
