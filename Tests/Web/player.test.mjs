// The player's rules: marks that wait, what is kept and what is taken back, and words that lock.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { Memory, sha } from './portfolio-memory.mjs';

const rules = await page('/portfolio/player/marks-rules.js');
const { Marks, newID } = await page('/portfolio/player/marks.js');
const {
  bookOf, different, fileName, filesOf, missingOf, placeOf, savedSize, turnOf, withdrawnOf,
} = await page('/portfolio/player/book.js');
const { Images } = await page('/portfolio/player/images.js');
const { Keeping } = await page('/portfolio/player/keeping.js');
const { Keeper } = await page('/portfolio/keeping/keeper.js');
const { signal } = await page('/ui.js');
const { HubSource, idAt } = await page('/portfolio/player/source-hub.js');
const { spellings } = await page('/portfolio/player/source-file.js');
const { Away, Ended, Locked, Refused, Wrong } = await page('/portfolio/player/faults.js');

const bytesOf = (name) => new TextEncoder().encode(name.padEnd(90, '.')).buffer;
const settle = () => new Promise((resolve) => { setTimeout(resolve, 20); });

function picture(id, version = '1') {
  const file = (size) => {
    const bytes = bytesOf(`${id}/${size}/${version}`);
    return { bytes: bytes.byteLength, sha256: sha(bytes) };
  };
  return { id, version, kind: 'picture', width: 3, height: 2, sizes: { 320: file('320'), 2048: file('2048') } };
}

const bookWith = (...ids) => bookOf({ galleries: [{ id: 'g', title: 'Harbour', pictures: ids.map((id) =>
  (typeof id === 'string' ? picture(id) : id)) }] });

test('a mark that is changed twice is sent once, and one that is taken back keeps its id', () => {
  const first = rules.changeOf(new Map(), { picture: 'a', kind: 'favourite', isOn: true }, { id: 'one', at: 1 });
  assert.deepEqual(first, { id: 'one', picture: 'a', kind: 'favourite', at: 1 });
  const waiting = rules.queued([], first);
  const seen = rules.seenOf([], waiting);
  assert.equal(rules.changeOf(seen, { picture: 'a', kind: 'favourite', isOn: true }, { id: 'two', at: 2 }), null);
  const back = rules.changeOf(seen, { picture: 'a', kind: 'favourite', isOn: false }, { id: 'two', at: 2 });
  assert.deepEqual(back, { id: 'one', picture: 'a', kind: 'favourite', gone: true, at: 2 });
  assert.deepEqual(rules.queued(waiting, back), [back]);
  assert.equal(rules.seenOf([first], [back]).size, 0);
  const ahead = rules.seenOf([{ id: 'one', picture: 'a', kind: 'remark', text: 'For the lobby', at: 3_600 }], []);
  const later = rules.changeOf(ahead, { picture: 'a', kind: 'remark', text: 'Not yet' }, { id: 'two', at: 5 });
  assert.equal(later.at, 3_600.001, 'later than what the hub has, which was made while the clock was ahead');
});

test('what changes while it is sent waits once more', () => {
  const [one, other] = [{ id: 'one', at: 1 }, { id: 'other', at: 1 }];
  assert.deepEqual(rules.settled([{ ...one, at: 2 }, other], [one, other]), [{ id: 'one', at: 2 }]);
});

test('marks wait without a network, in their order, and go by themselves', async () => {
  const [kept, got] = [[], []];
  let isAway = true;
  const keep = (change) => { kept.push(change(kept.at(-1) ?? [])); };
  const marks = new Marks({ keep, now: () => 5, send: async (some) => {
    if (isAway) throw new Away();
    got.push(some.map(({ picture: id, kind, text, gone }) => [id, kind, text, gone]));
    return undefined;
  } });
  marks.set({ picture: 'a', kind: 'favourite', isOn: true });
  marks.set({ picture: 'b', kind: 'remark', text: 'For the lobby' });
  marks.set({ picture: 'c', kind: 'large', isOn: true });
  marks.set({ picture: 'a', kind: 'favourite', isOn: false });
  await settle();
  assert.equal(marks.state.peek(), 'waiting');
  assert.deepEqual(marks.counts(), { favourite: 0, remark: 1, large: 1 });
  assert.equal(kept.at(-1).length, 3);
  assert.equal(new Set(kept.at(-1).map(({ at }) => at)).size, 3, 'each change has a time of its own');
  isAway = false;
  await marks.flush();
  assert.deepEqual(got, [[['b', 'remark', 'For the lobby', undefined], ['c', 'large', undefined, undefined],
    ['a', 'favourite', undefined, true]]]);
  assert.deepEqual([marks.state.peek(), marks.waiting.peek(), kept.at(-1)], ['sent', [], []]);
  assert.deepEqual(marks.counts(), { favourite: 0, remark: 1, large: 1 });
  marks.end();
});

test('two tabs of a link keep one list, and what one has left the other sends', async () => {
  let kept = [];
  let got = [];
  const tab = (isAway) => new Marks({ keep: (change) => { kept = change(kept); }, send: async (some) => {
    if (isAway) throw new Away();
    got = some.map(({ picture: id }) => id);
  } });
  const [first, second] = [tab(true), tab(true)];
  first.set({ picture: 'a', kind: 'favourite', isOn: true });
  second.set({ picture: 'b', kind: 'favourite', isOn: true });
  await settle();
  first.end();
  second.end();
  assert.deepEqual(kept.map(({ picture: id }) => id), ['a', 'b']);
  const third = tab(false);
  third.begin(kept);
  await third.flush();
  assert.deepEqual([got, kept], [['a', 'b'], []]);
  third.begin([{ id: 'x', picture: 'c', kind: 'favourite', at: 2 }]);
  third.begin([{ id: 'x', picture: 'c', kind: 'favourite', at: 1 }]);
  assert.deepEqual(third.waiting.peek().map(({ at }) => at), [2], 'the last change of a mark');
});

test('a picture of which only the small file came counts as one to be asked for again', async () => {
  let isAway = true;
  const images = new Images({ file: async (_, size) => {
    if (size === '2048' && isAway) throw new Away();
    return new Blob([size]);
  } });
  const element = { decode: async () => {} };
  assert.equal(await images.show(element, picture('a')), false);
  isAway = false;
  assert.equal(await images.show(element, picture('a')), true);
});

test('a network that comes back while a try fails is not missed', async () => {
  let fail;
  const got = [];
  const marks = new Marks({ keep() {}, send: (some) => {
    if (fail) return Promise.resolve(void got.push(some.length));
    return new Promise((_, reject) => { fail = () => reject(new Away()); });
  } });
  marks.set({ picture: 'a', kind: 'favourite', isOn: true });
  marks.flush(); // the network is there again, and the try before does not know it yet
  fail();
  await settle();
  assert.deepEqual([got, marks.state.peek()], [[1], 'sent']);
  marks.end();
});

test('more than a hundred marks go in several requests', async () => {
  const counts = [];
  const marks = new Marks({ keep() {}, send: async (some) => void counts.push(some.length) });
  marks.begin(Array.from({ length: 250 }, (_, index) =>
    ({ id: `m${index}`, picture: `p${index}`, kind: 'favourite', at: index })));
  await marks.flush();
  assert.deepEqual(counts, [100, 100, 50]);
});

test('what the hub refuses stays here, to be saved as a list', async () => {
  const marks = new Marks({ keep() {}, send: async () => { throw new Refused('404'); } });
  marks.set({ picture: 'a', kind: 'favourite', isOn: true });
  marks.set({ picture: 'b', kind: 'remark', text: 'Crop it' });
  await settle();
  assert.equal(marks.state.peek(), 'refused');
  const said = { favourite: 'Favourite', remark: 'Remark', large: 'Large' };
  const wordFor = (place) => `Picture ${place}`;
  const list = (...titled) => rules.listOf(bookWith(...titled.map((one) => ({ ...picture(one.id), ...one }))).pictures,
    marks.seen(), said, wordFor);
  assert.equal(list({ id: 'b', title: 'Fog' }, { id: 'a' }), 'Fog\n  Remark: Crop it\nPicture 2\n  Favourite\n');
  const series = [{ id: 'b', title: 'Anna & Ben' }, { id: 'a', title: 'Anna & Ben', file: 'ANB_2.jpg' }];
  assert.equal(list(...series), 'Picture 1: Anna & Ben\n  Remark: Crop it\nANB_2.jpg: Anna & Ben\n  Favourite\n');
});

test('marks of pictures that were taken back are not sent', () => {
  const marks = new Marks({ keep() {}, send: async () => { throw new Away(); } });
  marks.begin([{ id: '1', picture: 'a', kind: 'favourite', at: 1 }, { id: '2', picture: 'b', kind: 'large', at: 1 }]);
  marks.told([], null);
  assert.equal(marks.waiting.peek().length, 2, 'only the hub says what was taken back');
  marks.told([], new Set(['b']));
  assert.deepEqual(marks.waiting.peek().map(({ id }) => id), ['2']);
});

test('when the link has ended, what waits is only here, and is not tried again', async () => {
  let tries = 0;
  const marks = new Marks({ keep() {}, send: async () => { tries += 1; throw new Away(); } });
  marks.told([{ id: '1', picture: 'a', kind: 'favourite', at: 1 }], null);
  marks.end();
  assert.equal(marks.state.peek(), 'sent', 'all were received');
  marks.set({ picture: 'b', kind: 'favourite', isOn: true });
  await settle();
  marks.end();
  assert.deepEqual([marks.state.peek(), marks.counts().favourite, tries], ['here', 2, 1]);
  // One that was on its way when the link ended.
  let fail;
  const late = new Marks({ keep() {}, send: () => new Promise((_, failed) => { fail = failed; }) });
  late.set({ picture: 'b', kind: 'favourite', isOn: true });
  await settle();
  late.end();
  fail(new Away());
  await settle();
  assert.equal(late.state.peek(), 'here');
});

test('ids have 128 random bits, as letters of an address', () => {
  const all = new Set(Array.from({ length: 500 }, newID));
  assert.equal(all.size, 500);
  for (const id of all) assert.match(id, /^[\w-]{22}$/);
});

/** A hub that has these files, each of 90 bytes, or fails. */
function keepingOf({ room, answer = () => undefined } = {}) {
  const store = new Memory(room);
  const asked = [];
  const source = { store, fetched: async ({ id, version }, size) => {
    asked.push(`${id}/${size}`);
    const found = answer(`${id}/${size}`);
    if (found instanceof Error) throw found;
    return { type: 'image/jpeg', bytes: found ?? bytesOf(`${id}/${size}/${version}`) };
  } };
  const keeping = new Keeping(source, { canKeep: true, hash: async (bytes) => sha(bytes), now: () => 1 });
  return { keeping, store, asked };
}

test('all that was sent is kept, the small ones first', async () => {
  const { keeping, store, asked } = keepingOf();
  await keeping.begin();
  await keeping.follow(bookWith('a', 'b', 'c', 'd'), true);
  await keeping.go();
  assert.deepEqual(asked.slice(0, 4), ['a/320', 'b/320', 'c/320', 'd/320']);
  assert.deepEqual([keeping.state.peek(), store.files.size, asked.length], ['whole', 8, 8]);
  assert.equal(keeping.sum.peek().kept, 4);
});

test('on mobile data the small ones alone are kept, until somebody wants all', async () => {
  const { keeping, store } = keepingOf();
  keeping.connection = () => ({ type: 'cellular' });
  await keeping.begin();
  await keeping.follow(bookWith('a', 'b'), true);
  await keeping.go();
  assert.deepEqual([keeping.state.peek(), [...store.files.keys()]], ['mobile', ['a/320', 'b/320']]);
  assert.equal(keeping.sum.peek().missing, 180);
  keeping.goMobile();
  await keeping.go();
  assert.deepEqual([keeping.state.peek(), store.files.size], ['whole', 4]);
});

test('a file counts when it is what the hub named', async () => {
  const { keeping, store } = keepingOf({ answer: (key) => (key === 'b/2048' ? bytesOf('something else') : undefined) });
  await keeping.begin();
  await keeping.follow(bookWith('a', 'b'), true);
  await keeping.go();
  assert.equal(keeping.state.peek(), 'short');
  assert.deepEqual([...store.files.keys()].sort(), ['a/2048', 'a/320', 'b/320']);
});

test('what was taken back is removed and told, when the hub itself says so', async () => {
  const { keeping, store, asked } = keepingOf();
  await keeping.begin();
  await keeping.follow(bookWith('a', 'b', 'c'), true);
  await keeping.go();
  await keeping.follow(bookWith('a'), false);
  assert.equal(store.files.size, 6, 'an older answer removes nothing');
  await keeping.follow(bookWith(picture('a', '2'), 'c'), true);
  await keeping.go();
  assert.equal(keeping.withdrawn.peek(), 1, 'a new version is no picture that was taken back');
  assert.deepEqual([...store.files.keys()].sort(), ['a/2048', 'a/320', 'c/2048', 'c/320']);
  assert.equal(store.files.get('a/320').version, '2');
  assert.equal(asked.length, 8);
  await keeping.empty();
  assert.equal(store.files.size + store.rowsNow.size, 0);
});

test('a full device keeps what fits, and says so', async () => {
  const { keeping, store } = keepingOf({ room: 5 * 90 });
  await keeping.begin();
  await keeping.follow(bookWith('a', 'b', 'c'), true);
  await keeping.go();
  assert.deepEqual([keeping.state.peek(), store.files.size], ['full', 5]);
});

test('without a network it waits', async () => {
  const { keeping } = keepingOf({ answer: () => new Away() });
  await keeping.begin();
  await keeping.follow(bookWith('a'), true);
  await keeping.go();
  assert.equal(keeping.state.peek(), 'waiting');
  keeping.end();
});

test('a book has its pictures one after the other, and each once among its files', () => {
  const book = bookOf({ title: 'Two series', galleries: [
    { id: 'g', title: 'Harbour', pictures: [picture('a'), picture('b')] }, { id: 'empty', title: 'None', pictures: [] },
    { id: 'h', title: 'Fog', pictures: [picture('b'), picture('c')] }] });
  assert.deepEqual(book.galleries.map(({ id, first, count }) => [id, first, count]), [['g', 0, 2], ['h', 2, 2]]);
  assert.deepEqual([different(book), placeOf(book, 'h', 'b'), placeOf(book, 'g', 'c')], [3, 2, -1]);
  assert.equal(filesOf(book).length, 6);
  const rows = new Map(filesOf(book).map(({ key, sha256 }) => [key, { sha256 }]));
  assert.deepEqual(missingOf(filesOf(book), rows), []);
  assert.deepEqual(withdrawnOf(book, filesOf(book), rows), { keys: [], pictures: 0 });
});

test('what is saved is the original where there is one, a film as a film, and is named by its kind', () => {
  const own = { sizes: { 320: {}, 2048: {}, original: {} } };
  const film = { sizes: { 320: {}, 2048: {}, video: {} } };
  const [large, original] = [{ download: '2048' }, { download: 'original' }];
  assert.deepEqual([large, original].map((book) => savedSize(own, book, true)), ['2048', 'original']);
  assert.equal(savedSize(picture('a'), original, true), '2048', 'pictures of a folder have none');
  assert.deepEqual([true, false].map((hasFilms) => savedSize(film, original, hasFilms)), ['video', '2048']);
  assert.deepEqual(['video/quicktime', 'video/webm', 'image/jpeg'].map((type) => fileName('a/b', type)),
    ['a-b.mov', 'a-b.webm', 'a-b.jpg']);
});

test("Flickr's pictures are shown thirty at a time", () => {
  const pictures = Array.from({ length: 70 }, (_, index) => ({ ...picture(`p${index}`),
    page: 'https://www.flickr.com/photos/ada/1/' }));
  const book = bookOf({ galleries: [{ id: 'g', title: '', pictures }] });
  assert.deepEqual([turnOf(book, 0), turnOf(book, 35), turnOf(book, 69)], [[0, 30], [30, 60], [60, 70]]);
  const own = bookOf({ galleries: [{ id: 'g', title: '', pictures: pictures.map(({ page: _, ...one }) => one) }] });
  assert.deepEqual(turnOf(own, 35), [0, 70]);
});

/** A source at a hub that answers by path: a status, or [status, body, headers], or throws. */
function hubWith(answers) {
  const [asked, store] = [[], new Memory()];
  const fetch = async (address, { headers = {}, body } = {}) => {
    asked.push([address, headers['Sent-Token'] ?? '', body ? JSON.parse(body) : null]);
    const found = answers(address, headers);
    if (found === undefined) throw new TypeError('no network');
    const [status, told = {}, more = {}] = Array.isArray(found) ? found : [found];
    return new Response(status === 304 ? null : JSON.stringify(told), { status, headers: more });
  };
  return { source: new HubSource('L'.repeat(22), store, { fetch }), store, asked };
}

test('what has not changed since the last look is not sent again', async () => {
  const told = { title: 'Two series', galleries: [] };
  const conditions = [];
  const { source } = hubWith((address, { 'If-None-Match': tag }) => {
    conditions.push(tag);
    return tag === '"a"' ? [304] : [200, told, { ETag: '"a"' }];
  });
  assert.deepEqual([await source.describe(), await source.describe()], [told, told]);
  assert.deepEqual([conditions, source.isLive], [[undefined, '"a"'], true]);
});

test('a link with a PIN asks for it, and the token goes along from then on', async () => {
  const told = { title: 'Two series', galleries: [] };
  const { source, store, asked } = hubWith((address, { 'Sent-Token': token }) => {
    if (address.endsWith('/open')) return [200, { token: 'T' }];
    return token === 'T' ? [200, told] : [401, { code: 40186 }];
  });
  await assert.rejects(source.describe(), (error) => error instanceof Locked && error.kind === 'pin');
  await source.unlock('1234');
  assert.deepEqual(await source.describe(), told);
  assert.equal(store.answers.get('token'), 'T');
  assert.match(asked.at(-1)[0], /\?client=[\w-]{22}$/);
});

test('a link that asks for another PIN shows nothing without a network either, until it is opened', async () => {
  const told = { title: 'Two series', galleries: [] };
  let answer = 'open';
  const { source } = hubWith((address, { 'If-None-Match': tag }) => {
    if (address.endsWith('/open')) return [200, { token: 'T' }];
    if (answer !== 'open') return answer;
    return tag === '"a"' ? [304] : [200, told, { ETag: '"a"' }];
  });
  await source.describe();
  answer = [401, { code: 40186 }];
  await assert.rejects(source.describe(), Locked);
  answer = undefined;
  await assert.rejects(source.describe(), Away);
  await source.unlock('1234');
  answer = 'open';
  await source.describe();
  answer = undefined;
  assert.deepEqual(await source.describe(), told);
});

test('a wrong PIN is told from one that has to wait', async () => {
  const by = (answer) => hubWith(() => answer).source.unlock('1');
  await assert.rejects(by(403), (error) => error instanceof Wrong && !error.seconds && !error.isLocked);
  await assert.rejects(by([429, {}, { 'Retry-After': '120' }]), (error) => error.seconds === 120);
  await assert.rejects(by([410, { code: 41086 }]), Ended);
  await assert.rejects(by([404, {}]), Away, 'a web server answers while the hub starts');
});

test('a file may still come while a PIN is asked for, or the hub starts, unless the hub itself has none', async () => {
  const by = (answer) => hubWith(() => answer).source.fetched(picture('a'), '320');
  for (const answer of [[401, { code: 40186 }], [404, {}], 503]) await assert.rejects(by(answer), Away);
  await assert.rejects(by([404, { code: 40487 }]), Refused);
});

test('a film has the time that a slow line needs', async (context) => {
  const given = [];
  context.mock.method(AbortSignal, 'timeout', (ms) => void given.push(ms));
  const film = { id: 'a', version: 1, sizes: { video: { bytes: 90_000_000, sha256: 'x', url: '/film' } } };
  await hubWith(() => 200).source.fetched(film, 'video');
  const library = { known: signal([{ portfolio: 'p', id: 'g', pictures: [film] }]), isWhole: signal(true) };
  const settings = signal({ isKept: true, isMobileToo: false, first: [] });
  new Keeper({ store: new Memory(), library, settings, world: {
    fetch: async () => { throw new TypeError('no network'); }, alone: (act) => act(), wait: () => () => {},
    conditions: () => ({ isTrusted: true, isOnline: true }), isInside: () => true,
  } }).go();
  await settle();
  assert.deepEqual(given, [1_920_000, 1_860_000]);
});

test('what was told last is shown without a network, and a link that has ended is told from a bad line', async () => {
  let answer = [200, { title: 'Two series' }];
  const { source } = hubWith(() => answer);
  await source.describe();
  assert.equal(source.isLive, true);
  for (const away of [undefined, 503, 429, [404, { says: 'a hotel’s page' }]]) {
    answer = away;
    assert.equal((await source.describe()).title, 'Two series');
    assert.equal(source.isLive, false);
  }
  answer = [410, { code: 41086 }];
  await assert.rejects(source.describe(), Ended);
});

test('marks that the hub has are there without a network, too', async () => {
  const { source } = hubWith((address) => (address.endsWith('/marks') ? [200, { marks: [{ id: 'm' }] }]
    : [200, { title: 'Two series', marks: [] }]));
  await source.describe();
  assert.deepEqual(await source.send([{ id: 'm' }]), [{ id: 'm' }]);
  assert.deepEqual((await source.kept()).marks, [{ id: 'm' }]);
});

test('marks that arrive while the hub tells of other pictures do not bring the ones before back', async () => {
  const galleries = (id) => [{ id: 'g', title: '', pictures: [picture(id)] }];
  let now = 'before';
  const { source, store } = hubWith((address) => (address.endsWith('/marks') ? [200, { marks: [{ id: 'm' }] }]
    : [200, { title: 'Two series', galleries: galleries(now) }]));
  await source.describe();
  now = 'after';
  const { answer } = store;
  store.answer = async (name) => { // what is read on a slow device may be older by the time that it is there
    const found = await answer.call(store, name);
    if (name === 'told') await settle();
    return found;
  };
  await Promise.all([source.send([{ id: 'm' }]), source.describe()]);
  assert.deepEqual(store.answers.get('told').galleries, galleries('after'));
});

test('marks wait while a web server answers for the hub that starts', async () => {
  const by = (answer) => hubWith(() => answer).source.send([{ id: 'm' }]);
  await assert.rejects(by([404, {}]), Away);
  await assert.rejects(by([410, { code: 41086 }]), Refused);
});

test('an opening is told once', async () => {
  const { source, asked } = hubWith(() => 204);
  source.world.fetch = async (address) => {
    asked.push(address);
    return new Response(null, { status: 204 });
  };
  await source.opened();
  await source.opened();
  assert.equal(asked.length, 1);
});

test('the same passphrase may be typed in several ways', () => {
  assert.deepEqual(spellings('vier Wörter'), ['vier Wörter'.normalize('NFC'), 'vier Wörter'.normalize('NFD')]);
  assert.equal(spellings(' plain ').length, 2);
  assert.deepEqual([idAt('/sent/abc-_1/'), idAt('/sent/abc'), idAt('/elsewhere')], ['abc-_1', 'abc', '']);
});

test('one second and one wish are told as one', async () => {
  const { en } = await page('/portfolio/player/words-en.js');
  const { de } = await page('/portfolio/player/words-de.js');
  assert.deepEqual([en, de].map(({ lock }) => [1, 2].map((one) => lock.wait(one).split('. ')[1])),
    [['Again in 1 second.', 'Again in 2 seconds.'], ['Wieder in 1 Sekunde.', 'Wieder in 2 Sekunden.']]);
  const wishes = (large) => de.sent({ favourite: 0, remark: 0, large }, 'Ada').split(':')[0];
  assert.deepEqual([wishes(1), wishes(2)], ['1 Wunsch nach einem großen Bild', '2 Wünsche nach großen Bildern']);
  const all = [en, de].map(({ sent }) => sent({ favourite: 3, remark: 2, large: 1 }, 'Ada').split(':')[0]);
  assert.deepEqual(all, ['3 favourites, 2 remarks and 1 wish for a large one',
    '3 Favoriten, 2 Anmerkungen und 1 Wunsch nach einem großen Bild']);
});
