// The wall and the hosts' page: what is shown next, where it goes, and answers that are taken back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AlbumHub, storage } from './albums-world.mjs';
import { Clock } from './clock.mjs';
import { page } from './pages.mjs';
import { shape } from './shape.mjs';

storage();
const { signal } = await page('/ui.js');
const { openAlbum } = await page('/albums/album/client.js');
const { next, wish } = await page('/albums/wall/choice.js');
const { mosaic, placeFor } = await page('/albums/wall/mosaic.js');
const { joinByItself } = await page('/albums/wall/joining.js');
const { LIMITS, onWall, Programme } = await page('/albums/wall/programme.js');
const { answered, empty, latest, listed, UNDO, undone } = await page('/albums/host/undo.js');
const { Hosting } = await page('/albums/host/model.js');
const { Typed } = await page('/albums/host/typed.js');
const { originalsOf, zipsOf } = await page('/albums/host/chosen.js');
const { shares } = await page('/albums/host/storage.js');
const { linkOf, secretOf } = await page('/albums/opening.js');

const SEED = 20261121;

/** Numbers from 0 to 1 by chance, the same for the same seed (mulberry32). */
function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const pictures = (count, fields = () => ({})) => Array.from({ length: count }, (_, index) => (
  { id: `p${index}`, width: 3, height: 2, hearts: 0, ...fields(index) }));

test('the wall never shows the same picture twice in a row', () => {
  for (const count of [2, 3, 7, 40]) {
    const random = chance(SEED);
    const all = pictures(count, (index) => ({ hearts: index === 0 ? 50 : 0 }));
    const shown = [];
    for (let step = 0; step < 500; step += 1) shown.push(next(all, shown, random).id);
    assert.ok(shown.every((id, index) => id !== shown[index - 1]), `of ${count}, seed ${SEED}`);
    assert.equal(new Set(shown).size, count, 'each is shown');
  }
});

test('a wall with one picture shows it once, and then nothing', () => {
  const [one] = pictures(1);
  assert.equal(next([one], [], chance(SEED)), one);
  assert.equal(next([one], ['p0'], chance(SEED)), null);
  assert.equal(next([], [], chance(SEED)), null);
});

test('hearts and newness are shown more often, and the same chance chooses the same', () => {
  const all = pictures(200, (index) => ({ hearts: index === 20 ? 8 : 0 }));
  const run = () => {
    const [random, shown, counts] = [chance(SEED), [], new Map()];
    for (let step = 0; step < 20_000; step += 1) {
      const { id } = next(all, shown, random);
      shown.push(id);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  };
  const counts = run();
  assert.ok(counts.get('p20') > 2 * counts.get('p21'), 'hearts');
  const sum = (from, to) => [...counts].filter(([id]) => +id.slice(1) >= from && +id.slice(1) < to)
    .reduce((all, [, count]) => all + count, 0);
  assert.ok(sum(180, 200) > 2 * sum(30, 50), 'newness');
  assert.deepEqual(run(), counts);
  assert.ok(wish({ hearts: 900 }, 0) === wish({ hearts: 12 }, 0), 'a picture that all love leaves room for others');
});

test('new pictures come first, each once, and what was there at first is not new', () => {
  const programme = new Programme(chance(SEED));
  const all = pictures(10);
  programme.take(all.slice(0, 4));
  assert.equal(programme.waiting, 0);
  programme.take(all.slice(0, 6));
  programme.take(all.slice(0, 6));
  assert.deepEqual([programme.next(), programme.next()].map(({ picture, isNew }) => [picture.id, isNew]),
    [['p4', true], ['p5', true]]);
  assert.equal(programme.next().isNew, false);
  programme.take(all.slice(0, 8));
  programme.take(all.slice(0, 7)); // p7 was withdrawn before its turn
  assert.equal(programme.next().picture.id, 'p6');
  assert.equal(programme.next().isNew, false);
});

test('a thousand at once do not keep the wall busy for hours', () => {
  const programme = new Programme(chance(SEED));
  programme.take([]);
  assert.equal(programme.next(), null);
  programme.take(pictures(1000));
  assert.equal(programme.waiting, LIMITS.waiting);
  assert.equal(programme.next().picture.id, `p${1000 - LIMITS.waiting}`);
});

test('three rows fill a screen, and few pictures make few rows', () => {
  const rows = mosaic(pictures(50), 16 / 9);
  assert.equal(rows.length, 3);
  assert.ok(rows.every((row) => row.length >= 3));
  assert.equal(rows[0][0].id, 'p49');
  assert.equal(new Set(rows.flat().map(({ id }) => id)).size, rows.flat().length);
  assert.deepEqual([0, 1, 2, 4, 6].map((count) => mosaic(pictures(count), 16 / 9).length), [0, 1, 1, 2, 3]);
});

test('a new picture takes the place of an old one of like proportions', () => {
  const tall = { id: 'new', width: 2, height: 3 };
  const rows = [[{ width: 3, height: 2 }, { width: 2, height: 3 }], [{ width: 3, height: 2 }, { width: 2, height: 3 }]];
  assert.deepEqual(placeFor(tall, rows, [[1, 2], [3, 4]]), { row: 0, column: 1 });
  assert.deepEqual(placeFor(tall, rows, [[3, 9], [1, 2]]), { row: 1, column: 1 });
  assert.equal(placeFor(tall, [], []), undefined);
});

test('a picture that is hidden while it lies on the wall leaves it, and takes no place there', async () => {
  class Element {
    style = { setProperty() {} };
    children = [];
    append(...all) { this.children.push(...all); }
    replaceChildren(...all) { this.children = all; }
    remove() { this.isGone = true; }
    replaceWith() { this.isReplaced = true; }
  }
  Object.assign(globalThis, { innerWidth: 1600, innerHeight: 900, matchMedia: () => ({ matches: true }) });
  globalThis.document = { createElement: () => new Element() };
  const { Board } = await page('/albums/wall/board.js');
  const all = pictures(60, () => ({ sizes: { 320: '/small' } }));
  const [board, programme, sheet] = [new Board(), new Programme(chance(SEED)), new Element()];
  const take = (some) => {
    programme.take(some);
    board.keep(some);
  };
  const replaced = () => board.element.children.flatMap(({ children }) => children).filter((one) => one.isReplaced);
  take(all);
  const images = () => board.element.children.flatMap(({ children }) => children).map(({ children: [one] }) => one.src);
  take(all.map((one) => (one.id === 'p59' ? { ...one, sizes: { 320: '/small', 1600: '/large' } } : one)));
  assert.equal(images().filter((src) => src === '/large').length, 1, 'it is as sharp as it can be by now');
  take(all.slice(1));
  assert.deepEqual([programme.has('p0'), programme.has('p1')], [false, true]);
  board.put(all[0], sheet);
  assert.deepEqual([sheet.isGone, replaced().length], [true, 0]);
  board.put(all[1], new Element());
  assert.equal(replaced().length, 1, 'one that is there takes its place');
  for (const name of ['innerWidth', 'innerHeight', 'matchMedia', 'document']) delete globalThis[name];
});

test('a wall whose album was deleted, or that was put out, shows nothing more', () => {
  const all = pictures(3, () => ({ sizes: { 320: '/small' } }));
  const album = {
    state: signal('in'), isWhole: signal(false), pictures: signal(new Map(all.map((one) => [one.id, one]))) };
  assert.equal(onWall(album), null, 'what was there at first is not new');
  album.isWhole.set(true);
  assert.deepEqual(onWall(album).pictures, all);
  for (const state of ['gone', 'removed']) {
    album.state.set(state);
    assert.deepEqual(onWall(album).pictures, [], state);
  }
});

test('a wall that is opened while the hub is away comes by itself, and one that leads nowhere asks once', async () => {
  const settled = async () => { for (let n = 0; n < 9; n += 1) await new Promise((done) => { setImmediate(done); }); };
  const joins = ({ asked }) => asked.filter(({ path }) => path === '/join').length;
  const [hub, clock] = [new AlbumHub(), new Clock()];
  const album = openAlbum('wall', hub);
  hub.isCut = true;
  await joinByItself(album, { name: 'Wall' }, clock);
  [hub.isCut, hub.refusal] = [false, [503, undefined]];
  clock.pass(5_000);
  await settled();
  assert.deepEqual([album.state(), album.isUnreachable(), joins(hub)], ['outside', true, 2]);
  hub.refusal = null;
  clock.pass(5_000);
  await settled();
  assert.deepEqual([album.state(), album.isUnreachable(), album.line()], ['in', false, 'live']);
  album.stop();
  for (const [refusal, state] of [[[403, 40365], 'passphrase'], [[404, 40468], 'wrong']]) {
    const other = openAlbum(state, Object.assign(new AlbumHub(), { refusal }));
    await joinByItself(other, {}, clock);
    assert.deepEqual([other.state(), clock.waiting], [state, []]);
  }
  const closed = Object.assign(new AlbumHub(), { refusal: [410, 41065] });
  const other = openAlbum('closed', closed);
  await joinByItself(other, {}, clock);
  assert.equal(other.state(), 'closed');
  clock.pass(60_000);
  await settled();
  assert.deepEqual([other.state(), joins(closed)], ['closed', 2]);
  closed.refusal = null;
  clock.pass(60_000);
  await settled();
  assert.equal(other.state(), 'in', 'it was opened again');
  other.stop();
});

const waiting = (...ids) => ({ ...empty, waiting: ids.map((id) => ({ id })) });
const ids = (queue) => queue.waiting.map(({ id }) => id);

test('an answer can be taken back for ten seconds, and the picture is where it was', () => {
  let queue = answered(waiting('a', 'b', 'c'), 'b', 'hidden', 1000);
  assert.deepEqual(ids(queue), ['a', 'c']);
  assert.equal(latest(queue, 1000 + UNDO - 1).picture.id, 'b');
  assert.equal(latest(queue, 1000 + UNDO), null);
  queue = undone(queue, 'b');
  assert.deepEqual([ids(queue), latest(queue, 1001)], [['a', 'b', 'c'], null]);
  assert.equal(UNDO, 10_000);
});

test('several answers are taken back one after the other', () => {
  let queue = answered(answered(waiting('a', 'b', 'c'), 'a', 'shown', 1000), 'b', 'hidden', 2000);
  queue = undone(queue, latest(queue, 3000).picture.id);
  queue = undone(queue, latest(queue, 3000).picture.id);
  assert.deepEqual(ids(queue), ['a', 'b', 'c']);
  assert.equal(answered(queue, 'zzz', 'shown', 1), queue);
});

test('a list of the hub that is older than an answer does not bring the picture back', () => {
  const queue = answered(waiting('a', 'b'), 'a', 'shown', 1000);
  assert.deepEqual(ids(listed(queue, [{ id: 'a' }, { id: 'b' }, { id: 'c' }], 1500)), ['b', 'c']);
  assert.deepEqual(ids(listed(queue, [{ id: 'a' }, { id: 'b' }], 1000 + UNDO)), ['a', 'b']);
});

test('a closing time that was saved can be cleared again in the same form; what stays there is not sent', () => {
  const typed = new Typed({ name: 'Picnic' });
  const values = { name: ' Wedding ', closes: '2026-11-22T12:00', passphrase: '' };
  const closes = new Date('2026-11-22T12:00').toISOString().replace('.000Z', 'Z');
  assert.deepEqual(typed.wish(values), { name: 'Wedding', closes_at: closes });
  typed.saved(values);
  assert.deepEqual(typed.wish({ ...values, passphrase: 'oars' }), { passphrase: 'oars' });
  assert.deepEqual(typed.wish({ ...values, closes: '' }), { closes_at: null });
  assert.equal(new Typed({ options: { closes_at: closes } }).closes, values.closes);
});

test('a picture that comes, waits or goes is seen in all that hosts are told', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const listeners = new Map();
  const asked = [];
  const hosting = new Hosting({
    on: (name, act) => { listeners.set(name, act); },
    line: () => 'idle',
    ask: async (_, path) => {
      asked.push(path.split('&')[0]);
      return { pictures: [], people: [] };
    },
  });
  hosting.follow();
  context.mock.timers.tick(1_000);
  const after = (name) => {
    asked.length = 0;
    listeners.get(name)();
    context.mock.timers.tick(1_000);
    return [...asked].sort();
  };
  const all = ['/people', '/pictures?state=hidden', '/pictures?state=removed', '/storage'];
  assert.deepEqual(after('picture'), all);
  assert.deepEqual(after('gone'), all);
  assert.deepEqual(after('waiting'), [...all, '/pictures?state=waiting'].sort());
});

test('what the hub has not answered is asked for again while there is a line', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const [listeners, asked] = [new Map(), []];
  const line = signal('live');
  const hosting = new Hosting({
    on: (name, act) => { listeners.set(name, act); },
    line,
    ask: async (_, path) => {
      asked.push(path);
      throw Object.assign(new Error('not now'), { status: asked.length < 3 ? 503 : 403 });
    },
  });
  hosting.readWaiting = hosting.readHidden = hosting.readStorage = async () => {};
  hosting.follow();
  listeners.get('people')();
  const passed = async (ms) => {
    context.mock.timers.tick(ms);
    await new Promise((resolve) => { setImmediate(resolve); });
    return asked.length;
  };
  const found = [await passed(1_000), await passed(1_000), await passed(5_000), await passed(9_000)];
  assert.deepEqual(found, [2, 2, 4, 4], 'people, and all: once more after 503, but not after 403');
});

test('all are shown but what others have answered or taken back meanwhile; nothing of that can be undone', async () => {
  const asked = [];
  const hosting = new Hosting({
    ask: async (_, path, body) => {
      asked.push(body);
      if (path.endsWith('/b')) throw Object.assign(new Error('taken back'), { status: 404, code: 40466 });
      return { state: path.endsWith('/a') ? 'hidden' : 'making' };
    },
    lookAt: async () => {},
  });
  hosting.queue.set(waiting('a', 'b', 'c'));
  await hosting.showAll();
  assert.deepEqual(asked, Array(3).fill({ state: 'shown', was: 'waiting' }));
  assert.deepEqual([ids(hosting.queue()), hosting.queue().answers.map(({ picture }) => picture.id)], [[], ['c']]);
});

test('chosen pictures are hidden, and shown again, but those that are gone, or are hidden before', async () => {
  const [asked, seen] = [[], []];
  const hosting = new Hosting({
    ask: async (_, path, body) => {
      asked.push([path, body]);
      if (path.endsWith('/b')) throw Object.assign(new Error('gone'), { status: 404, code: 40466 });
    },
    pictures: { peek: () => new Map([['a', { state: 'shown' }], ['own', { state: 'hidden' }]]) },
    lookAt: async (id) => { seen.push(id); },
  });
  const hid = [];
  await hosting.hideAll(['a', 'b', 'own'], (id) => hid.push(id));
  assert.deepEqual(hid, ['a']);
  await hosting.showAgain(['a']);
  const [hidden, again] = [{ state: 'hidden' }, { state: 'shown', was: 'hidden' }];
  assert.deepEqual(asked, [['/pictures/a', hidden], ['/pictures/b', hidden], ['/pictures/a', again]]);
  assert.deepEqual(seen, ['a']);
});

test('a live photo waits, and is hidden, as one picture: an answer to its film would undo the one to it', async () => {
  const rows = [{ id: 'a', kind: 'photo', pair: 'b' }, { id: 'b', kind: 'video', pair: 'a' },
    { id: 'c', kind: 'video' }];
  const hosting = new Hosting({ ask: async () => ({ pictures: [...rows] }) });
  await Promise.all([hosting.readWaiting(), hosting.readHidden()]);
  assert.deepEqual(ids(hosting.queue()), ['a', 'c']);
  for (const part of [hosting.hidden, hosting.removed]) assert.deepEqual(part().map(({ id }) => id), ['c', 'a']);
});

test('of very many that are hidden or were removed, hosts are told that not all are listed', async () => {
  const rows = Array.from({ length: 5_200 }, (_, index) => ({ id: `p${index}`, kind: 'photo' }));
  let [hidden, removed] = [rows.slice(0, 5_000), rows];
  const hosting = new Hosting({ ask: async (_, path) => {
    const query = new URLSearchParams(path.split('?')[1]);
    const all = query.get('state') === 'hidden' ? hidden : removed;
    const from = all.findIndex(({ id }) => id === query.get('after')) + 1;
    const pictures = all.slice(from, from + Number(query.get('limit')));
    return { pictures, next: from + pictures.length < all.length ? pictures.at(-1).id : undefined };
  } });
  await hosting.readHidden();
  assert.deepEqual([hosting.hidden().length, hosting.removed().length, hosting.isCut()], [5_000, 5_000, true]);
  removed = removed.slice(500);
  await hosting.readHidden();
  assert.deepEqual([hosting.removed().length, hosting.isCut()], [4_700, false]);
});

test('what was removed is deleted for good, and the room that it frees is told; others may have done so', async () => {
  const asked = [];
  const hosting = new Hosting({
    ask: async (method, path) => {
      asked.push(`${method} ${path.split('&')[0]}`);
      if (method === 'DELETE') throw new Error('there is no such picture');
      return { pictures: [], bytes: 7 };
    },
  });
  await assert.rejects(hosting.deleteForGood({ id: 'p1' }), /no such picture/);
  assert.deepEqual([asked[0], hosting.removed(), hosting.storage().bytes], ['DELETE /pictures/p1', [], 7]);
});

test('all of somebody that was removed comes back; what others have deleted meanwhile is passed over', async () => {
  const asked = [];
  const hosting = new Hosting({
    refresh: async () => {},
    ask: async (method, path) => {
      if (method === 'POST') asked.push(path);
      if (path.includes('/b/')) throw Object.assign(new Error('deleted'), { status: 404, code: 40466 });
      return { pictures: [] };
    },
  });
  await hosting.restoreAll([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  assert.deepEqual(asked, ['a', 'b', 'c'].map((id) => `/pictures/${id}/restore`));
});

test('storage names the largest shares, and one for all others', () => {
  const by = [1, 9, 5, 2, 7].map((bytes) => ({ bytes }));
  assert.deepEqual(shares(by), [{ bytes: 9 }, { bytes: 7 }, { bytes: 5 }, { others: 2, bytes: 3 }]);
  assert.equal(shares(by.slice(0, 4)).length, 4);
});

test('of what was chosen for a zip, what is gone is left out, and a live photo has both halves', () => {
  const all = new Map([{ id: 'a', kind: 'photo', pair: 'b' }, { id: 'b', kind: 'video', pair: 'a' },
    { id: 'c', kind: 'photo' }].map((one) => [one.id, one]));
  assert.deepEqual(originalsOf(new Set(['c', 'gone', 'a']), all).map(({ id }) => id), ['c', 'a', 'b']);
});

test('more than an address can name are several zips, and each is in one of them', () => {
  const all = pictures(1_000, (index) => ({ id: String(index).padStart(16, '0') }));
  const zips = zipsOf({ address: (path) => path }, all);
  assert.ok(zips.length > 1 && zips.every((address) => address.length < 8_000));
  assert.deepEqual(zips.flatMap((address) => address.split('=')[1].split(',')), all.map(({ id }) => id));
  assert.deepEqual(zipsOf({ address: (path) => path }, []), []);
  [all[450].pair, all[449].pair] = [all[449].id, all[450].id];
  const halves = zipsOf({ address: (path) => path }, all).find((address) => address.includes(all[450].id));
  assert.ok(halves.includes(all[449].id), 'both of a live photo are in the same');
});

test('an album’s secret is all of its link’s fragment', () => {
  assert.equal(secretOf('https://hub.example/album#K7-MOLE_x'), 'K7-MOLE_x');
  assert.equal(secretOf(null), '');
  globalThis.location = { hash: '#old' };
  const linked = (details) => linkOf({ details: signal(details) });
  assert.deepEqual([{ join_url: 'https://hub.example/album#new' }, {}, undefined].map(linked), ['new', 'old', 'old']);
});

test('German says everything that English says', async () => {
  for (const at of ['/albums/words.js', '/albums/wall/words.js', '/albums/card/words.js', '/albums/host/words.js']) {
    const { dictionary } = await page(at);
    assert.deepEqual(shape(dictionary.de), shape(dictionary.en), at);
  }
});
