// The pages' knowledge of portfolios: what the device knew, then what the hub says, and what its events change.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const { effect } = await page('/ui.js');
const { HubError } = await page('/keep.js');
const { Library } = await page('/portfolio/library.js');

/** A store in memory of what the hub said. */
function answers() {
  const kept = new Map();
  return { kept, answer: async (at) => kept.get(at), putAnswer: async (at, body) => { kept.set(at, body); },
    keepOnly: async (all) => { for (const at of kept.keys()) if (!all.includes(at)) kept.delete(at); } };
}

const inside = () => true;
const PORTFOLIOS = '/api/v1/portfolios';

/** A hub whose portfolios can be changed: {portfolios, asked, get}. */
function hubOf(...portfolios) {
  const hub = { portfolios, asked: [] };
  hub.get = async (at) => {
    hub.asked.push(at);
    if (at === PORTFOLIOS) return { portfolios: hub.portfolios.map(({ id }) => ({ id })) };
    const [, id, one] = /portfolios\/(\w+)(?:\/galleries\/(\w+))?$/.exec(at);
    const portfolio = structuredClone(hub.portfolios.find((each) => each.id === id));
    return one ? { gallery: portfolio.galleries.find((each) => each.id === one), pictures: [{ id: one }] } : portfolio;
  };
  return hub;
}

/** A library of it, and what it does a little later: {library, later}. */
function libraryOf(hub, store = answers(), isInside = inside) {
  const soon = [];
  const library = new Library(store, hub.get, (act) => soon.push(act), isInside);
  const later = async () => {
    hub.asked.length = 0;
    for (const act of soon.splice(0)) await act();
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    return hub.asked.filter((at) => at === PORTFOLIOS).length;
  };
  return { library, later };
}

test('the library shows what the device knew, then what the hub says, and asks only for what has changed', async () => {
  const store = answers();
  const asked = [];
  const hub = { name: 'Ada', galleries: [{ id: 'a', title: 'A', changed: 4 }, { id: 'b', title: 'B', changed: 5 }] };
  const get = async (at) => {
    asked.push(at);
    if (at.endsWith('/portfolios')) return { portfolios: [{ id: '1' }] };
    const [, id, after] = /galleries\/(\w)(?:\?after=(.*))?$/.exec(at) ?? [];
    if (!id) return { id: '1', ...structuredClone(hub) };
    const one = hub.galleries.find((each) => each.id === id);
    return { gallery: one, pictures: [{ id: `${id}${after ?? 0}` }], next: after ? undefined : '7' };
  };
  const library = new Library(store, get, undefined, inside);
  assert.equal(await library.refresh(), true);
  assert.deepEqual(library.known().map(({ id, pictures }) => [id, pictures.map((one) => one.id)]),
    [['a', ['a0', 'a7']], ['b', ['b0', 'b7']]]);
  assert.equal(library.isWhole.peek(), true);
  hub.galleries[1].changed = 6;
  const later = new Library(store, get, undefined, inside);
  await later.remember();
  assert.equal(later.portfolios.peek()[0].name, 'Ada');
  asked.length = 0;
  await later.refresh();
  assert.deepEqual(asked.filter((at) => at.includes('galleries')), ['/api/v1/portfolios/1/galleries/b',
    '/api/v1/portfolios/1/galleries/b?after=7']);
  const away = new Library(store, async () => { throw new TypeError('no network'); }, undefined, inside);
  await away.remember();
  assert.equal(await away.refresh(), false);
  assert.deepEqual([away.isLost.peek(), away.isWhole.peek(), away.portfolios.peek().length], [true, false, 1]);
  await away.load('1', 'a');
  assert.equal(away.pictures('1', 'a').length, 2);
});

test('a gallery that changes while its pages are read is read once more, and has each picture once', async () => {
  let pages = [['a', 'b'], ['a', 'b', 'c']]; // the hub begins anew after b, which has gone meanwhile
  let changed = 5;
  const library = new Library(answers(), async (at) => {
    if (at === PORTFOLIOS) return { portfolios: [{ id: '1' }] };
    if (!at.includes('/galleries/')) return { id: '1', galleries: [{ id: 'g', changed }] };
    const answer = { gallery: { id: 'g', changed }, pictures: pages.shift().map((id) => ({ id })) };
    if (pages.length) changed = 6;
    return { ...answer, next: pages.length ? 'b' : undefined };
  }, undefined, inside);
  const shown = () => library.pictures('1', 'g').map(({ id }) => id);
  await library.refresh();
  assert.deepEqual(shown(), ['a', 'b', 'c']);
  pages = [['a', 'c']];
  await library.refresh();
  assert.deepEqual([shown(), library.isWhole.peek()], [['a', 'c'], true]);
});

test('whoever has changed something finds it, though an event has had it asked for once more', async () => {
  const hub = hubOf({ id: '1', name: 'Work', galleries: [] });
  const { library } = libraryOf(hub);
  await library.refresh();
  hub.portfolios[0].name = 'Travels';
  const mine = library.refresh();
  const { get } = library;
  library.get = async (at) => { // the second answer comes later
    await new Promise((resolve) => { setTimeout(resolve); });
    return get(at);
  };
  library.heard('1', 'galleries', {});
  assert.equal(await mine, true);
  assert.equal(library.portfolio('1').name, 'Travels');
});

test('a hub that starts behind its web server is not reached; what it refuses itself is thrown', async () => {
  const hub = hubOf();
  const { library } = libraryOf(hub);
  hub.get = async () => { throw new HubError(502); };
  library.get = (...asked) => hub.get(...asked);
  assert.deepEqual([await library.refresh(), library.isLost()], [false, true]);
  hub.get = async () => { throw new HubError(403, { code: 40301 }); };
  await assert.rejects(library.refresh(), HubError);
});

test('a first sync with many galleries, and its end, ask for the list once; a new name for nothing', async () => {
  const galleries = Array.from({ length: 40 }, (_, index) => ({ id: `g${index}`, changed: 1 }));
  const hub = hubOf({ id: '1', name: 'Work', sync: { state: 'idle' }, galleries: [] });
  const { library, later } = libraryOf(hub);
  await library.refresh();
  hub.portfolios[0].galleries = galleries;
  const say = (sync) => {
    hub.portfolios[0].sync = sync;
    library.heard('1', 'portfolio', { id: '1', name: 'Work', sync });
  };
  say({ state: 'running', done: 0, left: 40 });
  for (const one of galleries) library.heard('1', 'gallery', one);
  say({ state: 'idle', at: '2026-11-23T08:00:00Z' });
  let reckoned = 0;
  const stop = effect(() => { reckoned += library.known().length > 0; });
  assert.equal(await later(), 1);
  assert.equal(library.known().length, 40);
  assert.ok(reckoned > 0 && reckoned < 5, 'all files are not reckoned for each of the galleries');
  stop();
  const known = library.known();
  say({ state: 'idle', at: '2026-11-23T09:00:00Z' }); // its beginning was not told
  assert.equal(await later(), 1);
  say({ state: 'idle', at: '2026-11-23T09:00:00Z' });
  library.heard('1', 'portfolio', { id: '1', name: 'Travels' });
  assert.equal(library.known(), known, 'nor for news of a sync, or a new name');
  assert.equal(await later(), 0);
  const { name, sync } = library.portfolio('1');
  assert.deepEqual([name, sync.at], ['Travels', '2026-11-23T09:00:00Z']);
});

test('what was said of a portfolio that is gone is forgotten, and nothing is kept for somebody who has signed out',
  async () => {
    const hub = hubOf({ id: '1', galleries: [{ id: 'a', changed: 1 }, { id: 'b', changed: 1 }] },
      { id: '2', galleries: [{ id: 'c', changed: 1 }] });
    const store = answers();
    let isInside = true;
    const { library } = libraryOf(hub, store, () => isInside);
    const at = (rest) => `${PORTFOLIOS}/${rest}`;
    await library.refresh();
    assert.deepEqual([...store.kept.keys()], [PORTFOLIOS, at('1/galleries/a'), at('1/galleries/b'),
      at('2/galleries/c')]);
    hub.portfolios = [{ id: '1', galleries: [{ id: 'b', changed: 2 }] }];
    await library.refresh();
    assert.deepEqual([...store.kept.keys()], [PORTFOLIOS, at('1/galleries/b')]);
    assert.deepEqual([library.pictures('1', 'a'), library.pictures('1', 'b').length], [undefined, 1]);
    isInside = false;
    store.kept.clear();
    hub.portfolios[0].galleries[0].changed = 3;
    await library.refresh();
    library.heard('1', 'portfolio', { id: '1', name: 'Work' });
    assert.equal(store.kept.size, 0);
  });
