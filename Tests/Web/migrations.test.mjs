// The migration of a device's data from each older version.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const { ANSWERS, MINE, UNKNOWN, VERSION, migrate, steps } = await page('/migrations.js');

/** Stores made of maps, with a copy of an older version's data. */
function stores(left = {}) {
  const all = new Map(Object.entries(left).map(([name, kept]) => [name, new Map(Object.entries(kept))]));
  return {
    all,
    create(name) {
      assert.ok(!all.has(name), `${name} is there already`);
      all.set(name, new Map());
    },
    get: async (name, key) => all.get(name).get(key),
    put: async (name, key, value) => { all.get(name).set(key, value); },
    keys: async (name) => [...all.get(name).keys()],
    delete: async (name, key) => { all.get(name).delete(key); },
  };
}

const plain = ({ all }) => Object.fromEntries([...all].map(([name, kept]) => [name, Object.fromEntries(kept)]));

// The data that each version left on a device; a new step adds one.
const LEFT = [
  {},
  {
    answers: {
      sign: { body: { open: true }, at: 1 }, session: { body: { person: { id: 1 } }, at: 2 },
      openers: { body: { openers: [] }, at: 3 }, favourites: { body: { device: { a: {} }, people: {} }, at: 4 },
      'hints-put-away': { body: ['insecure'], at: 5 },
    },
  },
  {
    answers: { sign: { body: { open: true }, at: 1 } },
    mine: {
      session: { body: { person: { id: '1', name: 'Ada', role: 'keykeeper' }, device: { id: '2', name: 'x' } }, at: 2 },
      followed: { body: { followed: [] }, at: 3 },
    },
  },
  {
    answers: { sign: { body: { open: true }, at: 1 } },
    mine: {
      session: { body: { person: { id: '1', name: 'Ada', role: 'member' }, rights: ['hub.enter'] }, at: 2 },
      bells: { body: { items: [] }, at: 3 },
    },
  },
  {
    answers: { sign: { body: { open: true }, at: 1 } },
    mine: { albums: { body: [], at: 2 } },
  },
];

/** The same, without what a step adds to it. */
function withoutRights(kept) {
  if (!kept.session) return kept;
  const { rights, ...body } = kept.session.body;
  return { ...kept, session: { ...kept.session, body } };
}

test('there is a copy of what each older version left', () => {
  assert.equal(LEFT.length, VERSION);
});

for (const [from, left] of LEFT.entries()) {
  test(`what version ${from} left is brought up to date, and nothing is lost`, async () => {
    const kept = stores(left);
    await migrate(kept, from);
    const now = plain(kept);
    assert.deepEqual(Object.keys(now).sort(), [ANSWERS, MINE]);
    const all = withoutRights({ ...now[ANSWERS], ...now[MINE] });
    assert.deepEqual(all, withoutRights({ ...left.answers, ...left.mine }));
  });
}

test('what only somebody signed in was told stands apart, what is the device\u2019s own does not', async () => {
  const kept = stores(LEFT[1]);
  await migrate(kept, 1);
  assert.deepEqual(Object.keys(plain(kept)[MINE]).sort(), ['openers', 'session']);
  assert.ok(plain(kept)[ANSWERS].favourites);
});

test('a session kept before rights were told leaves whoever is signed in what their role had', async () => {
  const rights = async (role, told) => {
    const body = { person: role && { id: '1', role }, ...(told ? { rights: told } : {}) };
    const kept = stores({ answers: {}, mine: { session: { body, at: 1 } } });
    await migrate(kept, 2);
    return plain(kept)[MINE].session.body.rights;
  };
  assert.deepEqual(await rights('owner'), ['hub.manage', UNKNOWN]);
  assert.deepEqual(await rights('keykeeper'), [UNKNOWN]);
  assert.deepEqual(await rights('member', ['hub.keep']), ['hub.keep'], 'the hub knows better');
  assert.equal(await rights(null), undefined, 'nobody was signed in');
});

test('what somebody was told and had been stored for everybody is stored no more', async () => {
  const told = { body: { address: 'ada@example.org' }, at: 1 };
  const kept = stores({ answers: { 'bells-mail': told, sign: told }, mine: { 'bells-mail': told } });
  await migrate(kept, 3);
  assert.deepEqual(plain(kept), { answers: { sign: told }, mine: { 'bells-mail': told } });
});

test('a member’s album that had been stored for everybody is stored no more', async () => {
  const told = { body: { details: { join_url: 'https://hub/album#secret' } }, at: 1 };
  const kept = stores({ answers: { 'album a1': told, sign: told }, mine: { albums: told } });
  await migrate(kept, 4);
  assert.deepEqual(plain(kept), { answers: { sign: told }, mine: { albums: told } });
});

test('a device that is up to date is left alone, and a step that fails says so', async () => {
  await migrate({}, VERSION);
  await assert.rejects(migrate(stores(), 0, [...steps, () => { throw new Error('broken'); }]), /broken/);
});
