// An album's client: joining, waiting for a host, the pictures in order, events, gaps, and what this device keeps.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { AlbumHub, storage } from './albums-world.mjs';

storage();
const { HubError } = await page('/keep.js');
const { Album, openAlbum } = await page('/albums/album/client.js');
const { claimAlbums, keepAlbum, keptAlbums } = await page('/albums/album/kept.js');

const settled = async () => { for (let n = 0; n < 40; n += 1) await new Promise((done) => { setImmediate(done); }); };
/** A moment later, when what events tell is shown. */
async function passed(hub) {
  hub.clock.pass(150);
  await settled();
}

const ids = (album) => [...album.pictures().keys()];

test('joining keeps the album on this device, and its pictures come in order, page by page', async () => {
  const hub = new AlbumHub({ pictures: 1203 });
  const album = openAlbum('the-secret', hub);
  assert.equal(album.state(), 'outside');
  await album.join();
  assert.deepEqual([album.state(), album.id, keptAlbums()[0].token, keptAlbums()[0].secret],
    ['in', hub.id, 'album_t', 'the-secret']);
  album.start();
  await settled();
  assert.equal(album.pictures().size, 1203);
  assert.deepEqual(ids(album).slice(0, 2).concat(ids(album).at(-1)), ['p1', 'p2', 'p1203']);
  assert.equal(album.isWhole(), true);
  assert.equal(openAlbum('the-secret', hub).state(), 'in', 'a reload needs no second join');
  assert.ok(hub.asked.filter(({ path }) => path !== '/join')
    .every(({ headers }) => headers.Authorization === 'Bearer album_t'));
  album.stop();
});

test('what events tell is one change of the page, though they come one by one; pictures take new names', async () => {
  const hub = new AlbumHub({ pictures: 1 });
  const album = await hub.inside(Album);
  await settled();
  let told = 0;
  const before = album.pictures.set;
  album.pictures.set = (next) => { told += 1; before(next); };
  const { pictures } = album;
  for (const [name, data] of [['picture', { id: 'x', state: 'making', by: { id: 'g1' }, hearts: 0 }],
    ['picture', { id: 'y', state: 'shown', by: { id: 'g2' }, hearts: 0 }], ['hearts', { id: 'y', hearts: 3 }]]) {
    hub.say(name, data);
    await settled();
  }
  await passed(hub);
  assert.deepEqual([ids(album), told], [['p1', 'x', 'y'], 1]);
  assert.deepEqual([pictures().get('x').mine, pictures().get('y').mine, pictures().get('y').hearts], [true, false, 3]);
  assert.equal(album.mine().length, 1);
  hub.say('named', { id: 'g2', name: 'Benjamin' });
  await passed(hub);
  assert.deepEqual([...pictures().values()].map(({ by }) => by.name), ['Benjamin', undefined, 'Benjamin']);
  hub.say('changed', { id: 'y', state: 'hidden', by: { id: 'g2' } });
  hub.say('gone', { id: 'x' });
  await passed(hub);
  assert.deepEqual(ids(album), ['p1']);
});

test('after a gap everything is fetched again: what came, what changed, and what is gone', async () => {
  const hub = new AlbumHub({ pictures: 3 });
  const album = await hub.inside(Album);
  await settled();
  hub.cut();
  hub.rows = [hub.row(1), { ...hub.row(3), hearts: 9 }, hub.row(4)];
  hub.clock.pass(3_000);
  await settled();
  assert.equal(album.line(), 'live');
  assert.deepEqual(ids(album), ['p1', 'p3', 'p4']);
  assert.equal(album.pictures().get('p3').hearts, 9);
});

test('an answer of a web server before the hub says that the hub is away, a refusal of its own does not', async () => {
  const hub = new AlbumHub({ pictures: 1 });
  const album = await hub.inside(Album);
  await settled();
  for (const [code, isAway] of [[undefined, true], [50701, false]]) {
    hub.refusal = [code ? 507 : 502, code];
    await assert.rejects(album.ask('GET', ''), HubError);
    assert.equal(album.isUnreachable(), isAway);
  }
  album.stop();
});

test('without a live connection it asks from time to time', async () => {
  const hub = new AlbumHub({ pictures: 1, isMute: true });
  const album = await hub.inside(Album);
  await settled();
  assert.deepEqual(ids(album), ['p1']);
  hub.rows.push(hub.row(2));
  hub.clock.pass(16_000);
  await settled();
  assert.deepEqual(ids(album), ['p1', 'p2']);
});

test('what was not answered once is asked for again, though the connection stands', async () => {
  const hub = new AlbumHub({ pictures: 3 });
  hub.busy = 2;
  const album = await hub.inside(Album);
  await settled();
  assert.deepEqual([album.line(), album.isWhole()], ['live', false]);
  hub.clock.pass(16_000);
  await settled();
  assert.deepEqual([ids(album), album.isWhole()], [['p1', 'p2', 'p3'], true]);
  const { length } = hub.asked;
  hub.clock.pass(20_000);
  await settled();
  assert.equal(hub.asked.length, length, 'and then no more');
  album.stop();
});

test('whose album’s guests only send asks from time to time, and listens again once they see all', async () => {
  const hub = new AlbumHub({ pictures: 2 });
  const album = await hub.inside(Album);
  await settled();
  hub.isBox = true;
  hub.rows = [];
  hub.refuse();
  await settled();
  assert.deepEqual(ids(album), [], 'those of others are gone at once');
  const { length } = hub.asked;
  hub.rows = [{ ...hub.row(3), mine: true }];
  hub.clock.pass(16_000);
  await settled();
  assert.deepEqual([ids(album), hub.asked.length - length < 6], [['p3'], true]);
  hub.isBox = false;
  hub.clock.pass(15_000);
  await settled();
  let heard = 0;
  album.on('hearts', () => { heard += 1; });
  hub.say('hearts', { id: 'p3', hearts: 7 });
  await passed(hub);
  assert.deepEqual([album.pictures().get('p3').hearts, heard], [7, 1], 'once, not twice');
  album.stop();
});

test('however many come, it asks for their number once, a moment later; a later answer counts', async () => {
  const hub = new AlbumHub({});
  const album = await hub.inside(Album);
  await settled();
  const { length } = hub.asked;
  for (let number = 0; number < 20; number += 1) hub.say('people', {});
  await settled();
  assert.equal(hub.asked.length, length);
  hub.clock.pass(5_000);
  await settled();
  assert.equal(hub.asked.length, length + 1);
  const { fetch } = hub;
  let arrive;
  hub.fetch = async (...all) => {
    const found = await fetch(...all);
    if (!arrive) await new Promise((done) => { arrive = done; });
    return found;
  };
  const slow = album.refreshDetails();
  await settled();
  hub.me = { ...hub.me, name: 'Ada' };
  await album.refreshDetails();
  arrive();
  await slow;
  assert.equal(album.details().me.name, 'Ada');
  album.stop();
});

test('without the hub it shows what was there last, and forgets that with the album', async () => {
  const hub = new AlbumHub({ pictures: 400 });
  const before = await hub.inside(Album);
  await settled();
  before.stop();
  hub.isCut = true;
  const album = await hub.inside(Album);
  await settled();
  assert.deepEqual([album.details().name, album.pictures().size, album.isUnreachable()], ['Tests', 300, true]);
  hub.isCut = false;
  hub.clock.pass(16_000);
  await settled();
  assert.deepEqual([album.pictures().size, ids(album)[0], album.isUnreachable()], [400, 'p1', false]);
  album.forget();
  assert.equal(hub.kept.size, 0);
});

test('what a member sees by their session is kept as theirs, what a guest sees as the device’s', async () => {
  for (const token of [undefined, 'album_t']) {
    const hub = new AlbumHub({ pictures: 1 });
    const album = new Album({ id: hub.id, token }, hub);
    album.start();
    await settled();
    album.stop();
    assert.equal(hub.kept.get(`album ${hub.id}`).isMine, !token);
  }
});

test('what a member has joined ends with the session, and so does its link; a guest’s stays', async () => {
  localStorage.setItem('eightbells-inside', '');
  const linksOf = (key) => JSON.parse(localStorage.getItem(key) ?? '[]').map(({ secret }) => secret);
  const hub = new AlbumHub({ pictures: 1 });
  await openAlbum('of a guest', hub).join();
  hub.isInside = true;
  const album = openAlbum('of a member', hub);
  await album.join();
  assert.ok(linksOf('albums').includes('of a guest') && !linksOf('albums').includes('of a member'));
  assert.deepEqual([linksOf('eightbells-mine-albums'), keptAlbums()[0].secret], [['of a member'], 'of a member']);
  album.start();
  await settled();
  hub.clock.pass(2_000);
  assert.equal(hub.kept.get(`album ${hub.id}`).isMine, true);
  hub.refusal = [401, 40166]; // the device was signed out elsewhere
  await assert.rejects(album.ask('GET', ''));
  await settled();
  assert.deepEqual([album.state(), hub.kept.size, linksOf('eightbells-mine-albums')], ['signed-out', 0, []]);
  assert.ok(linksOf('albums').includes('of a guest'));
  localStorage.removeItem('eightbells-inside');
});

test('whoever opens a new link of an album goes on as they were, and the old one is not kept beside it', async () => {
  const hub = new AlbumHub({});
  await openAlbum('old link', hub).join();
  const album = openAlbum('new link', hub);
  await album.look();
  const kept = keptAlbums().filter(({ secret }) => secret.endsWith(' link'));
  assert.deepEqual([album.state(), album.token, kept.map(({ secret }) => secret)], ['in', 'album_t', ['new link']]);
  assert.equal(hub.asked.filter(({ path }) => path === '/join').length, 1);
});

test('an album that earlier pages kept goes with the session, too, if it is in a member’s own list', () => {
  localStorage.setItem('eightbells-inside', '');
  const older = { id: 'older', secret: 'older' };
  const others = [{ id: 'others', secret: 'others' }, { id: 'guests', secret: 'guests', isMembers: false }];
  for (const one of [older, ...others]) keepAlbum(one);
  claimAlbums(new Set(['older', 'guests']));
  const secretsOf = (key) => JSON.parse(localStorage.getItem(key) ?? '[]').map(({ secret }) => secret);
  assert.deepEqual(secretsOf('eightbells-mine-albums'), ['older']);
  assert.deepEqual(secretsOf('albums').slice(0, 2), ['guests', 'others']);
  localStorage.removeItem('eightbells-inside');
});

test('without the hub it shows what came since the whole list, too', async () => {
  const hub = new AlbumHub({ pictures: 2 });
  const before = await hub.inside(Album);
  await settled();
  hub.say('picture', { id: 'x', state: 'shown', by: { id: 'g1' } });
  hub.say('gone', { id: 'p1' });
  await settled();
  hub.clock.pass(3_000);
  hub.isCut = true;
  const album = await hub.inside(Album);
  await settled();
  assert.deepEqual([ids(album), album.mine().length], [['p2', 'x'], 1]);
  before.stop();
  album.stop();
});

test('one’s own picture that waits is shown, and what a host does with it', async () => {
  const hub = new AlbumHub({});
  const own = (state) => ({ ...hub.row(1), by: { id: 'g1' }, mine: true, state });
  const album = await hub.inside(Album);
  await settled();
  const states = async () => {
    await settled();
    hub.clock.pass(1_000);
    await settled();
    return [...album.pictures().values()].map(({ state }) => state);
  };
  hub.rows = [own('waiting')];
  album.refreshMine();
  assert.deepEqual(await states(), ['waiting']);
  hub.rows = [own('hidden')];
  hub.say('waiting', { id: 'p1' });
  assert.deepEqual(await states(), ['hidden']);
  hub.rows = [own('shown')];
  hub.say('picture', { id: 'p1', state: 'shown', by: { id: 'g1' } });
  assert.deepEqual(await states(), ['shown']);
  hub.rows = [own('hidden')];
  hub.say('gone', { id: 'p1' });
  assert.deepEqual(await states(), ['hidden'], 'its guest still sees it');
  hub.rows = [];
  hub.say('waiting', { id: 'p1' });
  assert.deepEqual(await states(), [], 'and hears that it was removed then');
  hub.say('picture', { id: 'p1', state: 'shown', by: { id: 'g1' } });
  hub.say('gone', { id: 'p1' });
  assert.deepEqual(await states(), [], 'a host has removed it');
  album.stop();
});

test('a file that cannot be shown stays for hosts, and for others goes', async () => {
  for (const role of ['host', 'guest']) {
    const hub = new AlbumHub({ pictures: 1 });
    hub.me.role = role;
    hub.rows[0].state = 'making';
    const album = await hub.inside(Album);
    await settled();
    hub.rows[0].state = 'failed';
    hub.say('gone', { id: 'p1' });
    await passed(hub);
    assert.deepEqual(ids(album), role === 'host' ? ['p1'] : [], role);
    album.stop();
  }
});

test('who waits for a host is let in by itself', async () => {
  const hub = new AlbumHub({ pictures: 2, isFamily: true });
  const album = openAlbum('family', hub);
  await album.join();
  album.start();
  await settled();
  assert.deepEqual([album.state(), album.pictures().size], ['asked', 0]);
  assert.equal(openAlbum('family', hub).state(), 'asked', 'also after a reload');
  hub.me.state = 'in';
  hub.clock.pass(3_000);
  await settled();
  assert.deepEqual([album.state(), album.pictures().size], ['in', 2]);
  hub.say('picture', { id: 'x', state: 'shown', by: null });
  await passed(hub);
  assert.equal(album.pictures().size, 3, 'and hears what comes');
});

test('refusals become states: a wrong secret, a closed album, a passphrase, a removed guest', async () => {
  const hub = new AlbumHub({});
  for (const [status, code, state] of [[404, 40468, 'wrong'], [410, 41065, 'closed'], [403, 40365, 'outside']]) {
    hub.refusal = [status, code];
    const album = openAlbum(`another ${status}`, hub);
    await assert.rejects(album.join(), { status, code });
    assert.equal(album.state(), state);
  }
  hub.refusal = null;
  const album = await hub.inside(Album);
  await settled();
  hub.refusal = [401, 40102];
  await assert.rejects(album.ask('GET', ''));
  assert.deepEqual([album.state(), album.line()], ['removed', 'idle']);
});

test('a member whose session has ended is not told that a host has removed them', async () => {
  const hub = new AlbumHub({});
  const album = new Album({ id: hub.id }, hub);
  album.start();
  await settled();
  hub.refusal = [401, 40165];
  await assert.rejects(album.ask('GET', ''));
  assert.equal(album.state(), 'signed-out');
});

test('of a deleted album, whose tokens the hub has forgotten, nobody is told that a host removed them', async () => {
  for (const isDeleted of [true, false]) {
    const hub = new AlbumHub({});
    const album = await hub.inside(Album);
    await settled();
    Object.assign(hub, { refusal: [401, 40166], isDeleted });
    await assert.rejects(album.ask('GET', ''));
    await settled();
    assert.deepEqual([album.state(), album.line()], [isDeleted ? 'gone' : 'removed', 'idle']);
  }
});

test('where the hub does not tell why, because everybody asks at once, it is asked again', async () => {
  const hub = new AlbumHub({});
  const album = await hub.inside(Album);
  await settled();
  Object.assign(hub, { refusal: [401, 40166], isDeleted: true, isBusy: true });
  await assert.rejects(album.ask('GET', ''));
  await settled();
  assert.equal(album.state(), 'in');
  hub.isBusy = false;
  hub.clock.pass(15_000);
  await settled();
  assert.equal(album.state(), 'gone');
});

test('of the pictures of others that wait nobody asks for one’s own, and all are kept at once', async () => {
  const hub = new AlbumHub({ pictures: 2 });
  Object.assign(hub.rows[0], { by: { id: 'g1' }, mine: true, state: 'waiting' });
  const album = await hub.inside(Album);
  await settled();
  hub.clock.pass(2_000);
  assert.equal(hub.kept.get(`album ${hub.id}`).body.pictures.length, 2);
  const asked = () => hub.asked.filter(({ query }) => query?.includes('mine=1')).length;
  hub.say('waiting', { id: 'p2' });
  hub.clock.pass(1_000);
  await settled();
  assert.equal(asked(), 0);
  hub.say('waiting', { id: 'p1' });
  hub.clock.pass(1_000);
  await settled();
  assert.equal(asked(), 1);
  album.stop();
});

test('a join whose answer was lost is repeated with the same key, a refused one with another', async () => {
  const hub = new AlbumHub({});
  const album = openAlbum('lost', hub);
  hub.isCut = true;
  await assert.rejects(album.join());
  hub.isCut = false;
  hub.refusal = [504]; // of a web server that has not waited for the hub's answer
  await assert.rejects(album.join());
  hub.refusal = null;
  await album.join();
  const keys = hub.asked.map(({ headers }) => headers['Idempotency-Key']);
  assert.deepEqual(keys, [keys[0], keys[0], keys[0]]);
  hub.refusal = [403, 40365];
  await assert.rejects(album.join());
  await assert.rejects(album.join());
  assert.notEqual(hub.asked.at(-1).headers['Idempotency-Key'], hub.asked.at(-2).headers['Idempotency-Key']);
});

test('whoever was refused asks anew, and does not get the first answer once more', async () => {
  const hub = new AlbumHub({ isFamily: true });
  const album = openAlbum('refused once', hub);
  const keys = () => hub.asked.filter(({ path }) => path === '/join').map(({ headers }) => headers['Idempotency-Key']);
  await album.join();
  hub.refusal = [410, 41066];
  await assert.rejects(album.refreshDetails());
  assert.equal(album.state(), 'refused');
  hub.refusal = null;
  album.forget();
  await album.join();
  assert.deepEqual([album.state(), new Set(keys()).size], ['asked', 2]);
});

test('a heart is shown at once, and taken back when the hub refuses', async () => {
  const hub = new AlbumHub({ pictures: 1 });
  const album = await hub.inside(Album);
  await settled();
  const giving = album.heart('p1', true);
  await Promise.resolve();
  assert.deepEqual([album.pictures().get('p1').hearted, album.pictures().get('p1').hearts], [true, 1]);
  await giving;
  hub.refusal = [429, 42902];
  await assert.rejects(album.heart('p1', false));
  await settled();
  assert.deepEqual([album.pictures().get('p1').hearted, album.pictures().get('p1').hearts], [true, 1]);
});

test('a picture is asked out in words that may come twice', async () => {
  const hub = new AlbumHub({ pictures: 2 });
  const album = await hub.inside(Album);
  await settled();
  await album.remove('p1');
  await settled();
  const { method, path, query } = hub.asked.at(-1);
  assert.deepEqual([method, path, query, ids(album)], ['DELETE', '/pictures/p1', 'for_good=false', ['p2']]);
  album.stop();
});

test('with the cookie alone, as Safari leaves it after seven days, a guest goes on as they were', async () => {
  for (const isClosed of [false, true]) {
    const id = `album-of-cookies-${isClosed}`;
    const cookie = { token: 'album_kept', album: { id, name: 'Tests' }, state: 'in', role: 'guest' };
    const hub = Object.assign(new AlbumHub({ pictures: 2 }), { id, isClosed, cookie });
    const album = openAlbum(`seven days ${isClosed}`, hub);
    await album.look();
    album.start();
    await settled();
    assert.deepEqual([album.state(), album.token, album.pictures().size], ['in', 'album_kept', 2]);
    assert.deepEqual([keptAlbums()[0].token, keptAlbums()[0].isMembers], ['album_kept', false]);
    assert.ok(!hub.asked.some(({ path }) => path === '/join'));
    album.forget();
  }
  const hub = Object.assign(new AlbumHub(), { id: 'album-of-nobody', isClosed: true });
  const album = openAlbum('never here', hub);
  await album.look();
  assert.deepEqual([album.state(), album.id], ['closed', undefined]);
});

test('an earlier link opens the album that goes on under another one', async () => {
  const hub = Object.assign(new AlbumHub(), { id: 'album-of-links' });
  const album = openAlbum('first', hub);
  await album.join();
  for (const secret of ['second', 'third']) await openAlbum(secret, hub).look();
  for (const secret of ['first', 'second', 'third']) {
    const { id, secret: now } = openAlbum(secret, hub);
    assert.deepEqual([id, now], [hub.id, 'third'], secret);
  }
  assert.deepEqual(keptAlbums().filter(({ id }) => id === hub.id).length, 1);
  await openAlbum('first', hub).leave();
  assert.equal(openAlbum('second', hub).id, undefined, 'and none once it was left');
});

test('whoever leaves takes all of theirs back in the same request, if they wish', async () => {
  const hub = new AlbumHub();
  for (const query of [undefined, 'withdraw=true']) {
    const album = await hub.inside(Album);
    await settled();
    await album.leave(Boolean(query));
    const { method, path, query: said } = hub.asked.at(-1);
    assert.deepEqual([method, path, said, album.state()], ['DELETE', '/me', query, 'outside']);
  }
});
