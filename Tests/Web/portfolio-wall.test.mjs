// The portfolio's wall and the large picture: where everything is, what is seen, and in which order.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { shape } from './shape.mjs';

const { Library } = await page('/portfolio/library.js');
const plan = await page('/portfolio/wall/plan.js');
const { hashOf, plateOf, routeOf } = await page('/portfolio/view/plate.js');
const { choose, keepSettings, settings, settingsOf } = await page('/portfolio/settings.js');
const { de } = await page('/portfolio/words-de.js');
const { en } = await page('/portfolio/words-en.js');

const SHAPES = [1.5, 0.75, 1.33, 1, 1.78];
const aspects = (count) => Array.from({ length: count }, (_, index) => SHAPES[(index * 7) % SHAPES.length]);

test('pictures of a strip have true proportions, whole pixels, and the same gaps', () => {
  const { x, w, width } = plan.stripOf(aspects(200), 188, 8);
  for (let one = 0; one < 200; one += 1) {
    assert.equal(w[one], Math.round(aspects(200)[one] * 188));
    if (one > 0) assert.equal(x[one] - (x[one - 1] + w[one - 1]), 8);
  }
  assert.equal(width, x[199] + w[199]);
  assert.deepEqual({ ...plan.stripOf([], 188, 8) }, { x: new Float64Array(0), w: new Float64Array(0), width: 0 });
});

test('a picture without a size, and an endless panorama, do not break the strip', () => {
  assert.equal(plan.aspectOf({}), 1.5);
  assert.equal(plan.aspectOf({ width: 0, height: 9 }), 1.5);
  assert.equal(plan.aspectOf({ width: 90_000, height: 500 }), 5);
  assert.equal(plan.aspectOf({ width: 3, height: 2 }), 1.5);
});

test('exactly the pictures that are seen have elements, wherever the strip is scrolled to', () => {
  const strip = plan.stripOf(aspects(300), 188, 8);
  for (let left = -400; left < strip.width + 400; left += 37) {
    const [first, end] = plan.columnsBetween(strip, left, left + 900);
    for (let one = 0; one < 300; one += 1) {
      const isSeen = strip.x[one] + strip.w[one] > left && strip.x[one] < left + 900;
      if (isSeen) assert.ok(one >= first && one < end, `${one} at ${left}`);
    }
    assert.ok(end - first <= 12, `${end - first} at ${left}`);
  }
  assert.deepEqual(plan.columnsBetween(plan.stripOf([], 188, 8), 0, 100), [0, 0]);
});

test('exactly the strips that are seen have elements', () => {
  assert.deepEqual(plan.rowsBetween(60, 272, -500, 300), [0, 2]);
  assert.deepEqual(plan.rowsBetween(60, 272, 272, 544), [1, 2]);
  assert.deepEqual(plan.rowsBetween(60, 272, 15_000, 17_000), [55, 60]);
  assert.deepEqual(plan.rowsBetween(60, 272, -900, -1), [0, 0]);
  assert.deepEqual(plan.rowsBetween(60, 272, 20_000, 21_000), [0, 0]);
});

test('a strip is scrolled no further than a picture needs to be seen', () => {
  const strip = plan.stripOf(aspects(40), 100, 10);
  assert.equal(plan.scrolledTo(strip, 1, 0, 900), 0);
  assert.equal(plan.scrolledTo(strip, 0, 400, 900), 0);
  assert.equal(plan.scrolledTo(strip, 20, 0, 900), strip.x[20] + strip.w[20] - 900);
});

test('the wall measures as it was drawn: 272 pixels from strip to strip on a desk, 236 on a phone', () => {
  assert.equal(plan.pitchOf(plan.measuresFor(1280)), 272);
  assert.equal(plan.pitchOf(plan.measuresFor(390)), 236);
});

test('the cover stands first, the others stay in their order', () => {
  const all = ['a', 'b', 'c', 'd'].map((id) => ({ id }));
  assert.deepEqual(plan.inOrder(all, 'c').map(({ id }) => id), ['c', 'a', 'b', 'd']);
  assert.equal(plan.inOrder(all, 'a'), all);
  assert.equal(plan.inOrder(all, 'gone'), all);
  assert.equal(plan.inOrder(all), all);
});

test('the order of a gallery is the hub’s, also where a device has kept a list without it', async () => {
  const pictures = ['a', 'b', 'c'].map((id) => ({ id }));
  const kept = { changed: 4, pictures: [pictures[1], pictures[0], pictures[2]] };
  const store = { answer: async (at) => (at.endsWith('/g') ? kept : undefined) };
  const gallery = { id: 'g', changed: 4, cover: { id: 'b' } };
  const library = new Library(store, async (at) => {
    if (at.endsWith('/portfolios')) return { portfolios: [{ id: '1' }] };
    return at.endsWith('/g') ? { gallery, pictures } : { id: '1', galleries: [gallery] };
  }, undefined, () => false);
  await library.refresh();
  assert.equal(library.places('1', 'g'), undefined);
  await library.load('1', 'g', true);
  assert.deepEqual(library.places('1', 'g'), ['a', 'b', 'c']);
  assert.deepEqual(library.pictures('1', 'g').map(({ id }) => id), ['b', 'a', 'c']);
});

test('lists of galleries come one after the other, of those in sight first', async () => {
  const pause = () => new Promise((resolve) => { setImmediate(resolve); });
  const held = [];
  const library = new Library({ answer: async () => undefined }, async (at) => {
    await new Promise((resolve) => { held.push(resolve); });
    if (at.endsWith('/b')) throw new TypeError('given up');
    return { gallery: { changed: 1 }, pictures: [] };
  }, () => {}, () => false);
  const galleries = ['a', 'b', 'c', 'd'].map((id) => ({ id, changed: 1 }));
  library.portfolios.set([{ id: '1', galleries }]);
  const shown = () => galleries.filter(({ id }) => library.pictures('1', id)).map(({ id }) => id).join('');
  const answered = async () => {
    await pause();
    held.shift()();
    assert.equal(held.length, 0, 'one at a time');
    await pause();
    return shown();
  };
  for (const { id } of galleries) library.load('1', id);
  assert.equal(await answered(), 'a');
  for (const id of ['b', 'd']) library.load('1', id); // c was scrolled away
  assert.deepEqual([await answered(), await answered(), await answered()], ['a', 'ad', 'acd']);
});

test('the plate says what one wishes, and nothing that is not there', () => {
  const picture = { title: 'Jetty', caption: 'In the mist', place: { name: 'Spiekeroog' }, taken: '2025-06-12' };
  const dayOf = (taken) => (taken ? 'that day' : '');
  const all = ['title', 'caption', 'place', 'date'];
  assert.deepEqual(plateOf(picture, all, dayOf), { title: 'Jetty', rest: [
    { kind: 'caption', text: 'In the mist' }, { kind: 'place', text: 'Spiekeroog' },
    { kind: 'date', text: 'that day' }] });
  assert.deepEqual(plateOf(picture, ['date'], dayOf), { title: '', rest: [{ kind: 'date', text: 'that day' }] });
  assert.deepEqual(plateOf({}, all, dayOf), { title: '', rest: [] });
  assert.deepEqual(plateOf(undefined, all, dayOf), { title: '', rest: [] });
});

test('an address of a picture survives any name; other addresses are the wall', () => {
  const route = { portfolio: '7', gallery: 'Früh/morgens #1', picture: 'a%b c' };
  assert.deepEqual(routeOf(hashOf(route.portfolio, route.gallery, route.picture)), route);
  for (const one of ['', '#', '#/', '#/1/2', '#/1/2/3/4', '#/1/2/%']) assert.equal(routeOf(one), null, one);
});

test('a picture fills the screen in its largest size, a video plays, what is not ready says so', () => {
  const sizes = { 320: { url: 's' }, 2048: { url: 'l' } };
  const item = plan.itemOf({ id: '1', width: 6000, height: 4000, sizes });
  assert.deepEqual([item.width, item.height, item.src, item.msrc], [2048, 1365, 'l', 's']);
  const small = plan.itemOf({ id: '1', width: 640, height: 480, sizes: { 320: { url: 's' } } });
  assert.deepEqual([small.width, small.height, small.src], [640, 480, 's']);
  const video = plan.itemOf({ id: '2', kind: 'video', sizes: { ...sizes, video: { url: 'v' } } });
  assert.deepEqual([video.type, video.video, video.poster], ['video', 'v', 'l']);
  assert.equal(plan.itemOf({ id: '3', sizes: {} }).html, '');
});

test('settings of another version, or of nobody, become ours', () => {
  const usual = settingsOf(null);
  assert.deepEqual(settingsOf({ seconds: '6', first: 'all', shows: ['title'], isKept: false, more: 1 }),
    { ...usual, shows: ['title'], isKept: false });
});

test('what another tab chooses is not written over, and each tab shows the portfolio of its own', async (t) => {
  const kept = new Map();
  let heard;
  globalThis.localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
  globalThis.addEventListener = (_, act) => { heard = act; };
  t.after(() => {
    delete globalThis.localStorage;
    delete globalThis.addEventListener;
  });
  keepSettings();
  choose({ only: '1', isMobileToo: true });
  kept.set('portfolio', JSON.stringify({ ...settings.peek(), only: '2', isMobileToo: false, seconds: 10 }));
  heard({ key: 'portfolio' });
  choose({ checked: 'v2' });
  await new Promise((resolve) => { setTimeout(resolve); });
  const { only, isMobileToo, seconds, checked } = JSON.parse(kept.get('portfolio'));
  assert.deepEqual([only, isMobileToo, seconds, checked], ['1', false, 10, 'v2']);
});

test('the second screen goes on when it, or the page, was loaded anew', { timeout: 5_000 }, async (t) => {
  const { CHANNEL, Presenter } = await page('/portfolio/view/presenter.js');
  const opened = { closed: false, close() { this.closed = true; } };
  globalThis.window = { screen: {}, open: () => opened };
  const presenter = new Presenter();
  const screen = new BroadcastChannel(CHANNEL);
  t.after(() => {
    presenter.stop();
    screen.close();
    delete globalThis.window;
  });
  const heard = [];
  const said = () => new Promise((resolve) => {
    screen.onmessage = ({ data }) => resolve(heard.push(data?.title ?? data));
  });
  presenter.show({ id: 'a' }, { title: 'Fog', rest: [] });
  await presenter.start(); // after the page was loaded anew, in the window that is open already
  for (let time = 0; time < 2; time += 1) {
    const told = said();
    screen.postMessage('over');
    screen.postMessage('here');
    await told;
    assert.equal(presenter.isOn.peek(), true);
  }
  const last = said();
  presenter.stop();
  await last;
  assert.deepEqual([heard, presenter.isOn.peek(), opened.closed], [['Fog', 'Fog', null], false, true]);
});

test('English and German say the same things', () => {
  assert.deepEqual(shape(de), shape(en));
});
