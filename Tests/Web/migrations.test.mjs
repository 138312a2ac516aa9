// The migration of a device's data from each older version.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const { ANSWERS, MINE, VERSION, migrate, steps } = await page('/migrations.js');

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
];

test('there is a copy of what each older version left', () => {
  assert.equal(LEFT.length, VERSION);
});

for (const [from, left] of LEFT.entries()) {
  test(`what version ${from} left is brought up to date, and nothing is lost`, async () => {
    const kept = stores(left);
    await migrate(kept, from);
    const now = plain(kept);
    assert.deepEqual(Object.keys(now).sort(), [ANSWERS, MINE]);
    assert.deepEqual({ ...now[ANSWERS], ...now[MINE] }, left.answers ?? {});
  });
}

test('what only somebody signed in was told stands apart, what is the device\u2019s own does not', async () => {
  const kept = stores(LEFT[1]);
  await migrate(kept, 1);
  assert.deepEqual(Object.keys(plain(kept)[MINE]).sort(), ['openers', 'session']);
  assert.ok(plain(kept)[ANSWERS].favourites);
});

test('a device that is up to date is left alone, and a step that fails says so', async () => {
  await migrate({}, VERSION);
  await assert.rejects(migrate(stores(), 0, [...steps, () => { throw new Error('broken'); }]), /broken/);
});
