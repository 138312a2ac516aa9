import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { shape } from './shape.mjs';

const { fold, matches, plainText, wordsOf } = await page('/programme/search.js');
const { find: findEvents } = await page('/programme/searching.js');
const { noteClock } = await page('/keep.js');
const { session } = await page('/session.js');
const dictionaries = await Promise.all(['/programme/programme-words.js', '/programme/view-words.js',
  '/albums/searching.js', '/bells/searching.js', '/portfolio/searching.js'].map(page));

const event = (more) => ({ title: '', location: null, description_html: '', ...more });
const finds = (question, it, calendar) => matches(event(it), wordsOf(question), calendar);

test('case, accents and umlauts make no difference, however they were typed', () => {
  const it = { title: 'LÖTEN für Anfänger', location: 'Straße 8' };
  const questions = ['löten', 'Loten', 'loeten', 'LOETEN', 'lo\u0308ten', 'fuer anfaenger', 'strasse', 'straße'];
  for (const question of questions) {
    assert.equal(finds(question, it), true, question);
  }
  assert.equal(finds('lötzinn', it), false);
  assert.equal(fold('Ærø Łódź'), 'aero lodz');
  assert.equal(finds('reparatur cafe', { title: 'Reparatur-Café' }), true);
});

test('every word must be somewhere: title, place, description or the name of the calendar', () => {
  const description = '<p>Bring a <em>soldering</em> iron</p>';
  const it = { title: 'Open evening', location: 'Workshop', description_html: description };
  assert.equal(finds('iron workshop open', it), true);
  assert.equal(finds('courses iron', it, 'Courses'), true);
  assert.equal(finds('courses iron', it, 'Regular'), false);
  assert.equal(finds('', it), true);
});

test('only what a reader sees is searched, not markup or where a link leads', () => {
  const it = { description_html: '<p>Talks &amp; <a href="https://secret.example/">more</a>&#33;</p>' };
  assert.equal(finds('secret', it), false);
  assert.equal(finds('href', it), false);
  assert.equal(finds('talks &', it), true);
  assert.equal(plainText('a&#x1F600;&unknown;&#1114112;').trim(), 'a😀&unknown;');
});

test('the name of a calendar may change', () => {
  const it = event({ title: 'Evening' });
  assert.equal(matches(it, wordsOf('kurse'), 'Courses'), false);
  assert.equal(matches(it, wordsOf('kurse'), 'Kurse'), true);
});

test('what is searched is kept for a person, and for some minutes', async (context) => {
  const { once } = await page('/search/once.js');
  context.mock.timers.enable({ apis: ['Date'] });
  let asked = 0;
  const all = once(async () => {
    asked += 1;
    if (asked === 4) throw new Error('no network');
    return asked;
  });
  const as = (id) => session.set({ person: { id, name: 'Ada', role: 'member' }, rights: [] });
  as('1');
  assert.deepEqual([await all(), await all()], [1, 1]);
  as('2');
  assert.equal(await all(), 2);
  context.mock.timers.tick(301_000);
  assert.equal(await all(), 3);
  session.set(undefined);
  await assert.rejects(all());
  assert.equal(await all(), 5);
});

/** What a room's finder says that it has not looked through, with these answers of the hub. */
async function leftOut(name, answer) {
  session.set({ person: { id: '1', name: 'Ada', role: 'owner' }, rights: [] });
  const { fetch } = globalThis;
  globalThis.fetch = async (url) => Response.json(answer(url));
  const said = [];
  try {
    // By another address: the answers of the hub are kept by the module.
    const { find } = await page(`/${name}/searching.js?${Math.random()}`);
    await find(['feast'], (sentence) => said.push(sentence));
  } finally {
    globalThis.fetch = fetch;
    session.set(undefined);
  }
  return said;
}

const many = (count) => Array.from({ length: count }, (_, at) => ({ id: `${at}`, name: 'Feast', title: 'Feast',
  content: {} }));

test('an album in which one is not yet is found by its name, and keeps no other from being found', async () => {
  session.set({ person: { id: '1', name: 'Ada', role: 'owner' }, rights: [] });
  const { fetch } = globalThis;
  globalThis.fetch = async (url) => {
    if (!url.includes('/pictures')) return Response.json({ albums: many(2) });
    if (url.includes('/0/')) return Response.json({ code: 40367, error: 'not in yet' }, { status: 403 });
    return Response.json({ pictures: [{ by: { name: 'Ben' } }] });
  };
  try {
    const { find } = await page('/albums/searching.js?waiting');
    assert.equal((await find(['feast'], () => {})).length, 2);
    assert.deepEqual((await find(['ben'], () => {})).map(({ title }) => title), ['Ben: Feast']);
  } finally {
    globalThis.fetch = fetch;
    session.set(undefined);
  }
});

test('of a large album no number is told, and whoever is its host finds all who sent pictures', async () => {
  session.set({ person: { id: '1', name: 'Ada', role: 'owner' }, rights: [] });
  const { fetch } = globalThis;
  const people = [{ name: 'Ben', pictures: 600 }, { name: 'Zoe', pictures: 40 }, { name: 'Cleo', pictures: 0 }];
  globalThis.fetch = async (url) => Response.json(url.includes('/pictures')
    ? { pictures: [{ by: { name: 'Ben' } }], next: 'x' } : url.endsWith('/people') ? { people }
      : { albums: many(1).map((one) => ({ ...one, role: 'host' })) });
  try {
    const { find } = await page('/albums/searching.js?large');
    const left = [];
    const found = await Promise.all(['ben', 'zoe', 'cleo'].map((name) => find([name], (text) => left.push(text))));
    assert.deepEqual(found.flat().map(({ title, detail }) => [title, detail]),
      [['Ben: Feast', ''], ['Zoe: Feast', '']]);
    assert.deepEqual(left, []);
  } finally {
    globalThis.fetch = fetch;
    session.set(undefined);
  }
});

test('the search says what it has not looked through, and nothing where it has seen all', async () => {
  const albums = (count, next) => (url) => (url.includes('/pictures') ? { pictures: [], next }
    : { albums: many(count) });
  assert.deepEqual(await leftOut('albums', albums(12)), []);
  assert.match((await leftOut('albums', albums(13))).join(), /12 newest/);
  assert.match((await leftOut('albums', albums(1, 'more'))).join(), /first 500 pictures/);

  const portfolio = (count, next) => (url) => {
    if (url.includes('/galleries/')) return { pictures: many(2_000), next };
    return url.endsWith('/portfolios') ? { portfolios: many(1) }
      : { galleries: [{ id: 'favourites', title: 'Favourites', favourites: true }, ...many(count)] };
  };
  assert.deepEqual(await leftOut('portfolio', portfolio(40)), []);
  assert.match((await leftOut('portfolio', portfolio(42))).join(), /first 40/);
  assert.match((await leftOut('portfolio', portfolio(1, 'more'))).join(), /first 2,000 pictures/);

  const bells = (full) => {
    let pages = 0;
    return () => {
      pages += 1;
      return { items: pages <= full ? many(50) : [] };
    };
  };
  assert.deepEqual(await leftOut('bells', bells(5)), []);
  assert.match((await leftOut('bells', bells(6))).join(), /newest 300/);
});

test('an event of whole days is found with its days, and no time', async (context) => {
  const { fetch } = globalThis;
  context.after(() => { globalThis.fetch = fetch; });
  const { find } = await page('/programme/searching.js?days');
  const days = (start, end) => event({
    id: start, title: 'Congress', location: 'Hall', all_day: true, start: `${start}T00:00:00+01:00`,
    end: `${end}T00:00:00+01:00`,
  });
  globalThis.fetch = async () => Response.json({
    events: [days('2040-12-27', '2040-12-31'), days('2041-01-03', '2041-01-04'),
      { ...days('2042-01-03', '2042-01-04'), status: 'cancelled' }],
  });
  const [several, one, off] = await find(['congress']);
  assert.match(off.detail, /^cancelled · /);
  assert.match(several.detail, /\b27\b.*2040 to .*\b30\b.*2040 · Hall$/);
  assert.match(one.detail, /\b3\b.*2041, all day · Hall$/);
  assert.deepEqual([several.at, one.at], [null, null]);
});

test('events are looked for around the hub’s time, also on a device whose clock is wrong', async (context) => {
  const { fetch } = globalThis;
  context.after(() => {
    globalThis.fetch = fetch;
    noteClock(new Response('', { headers: { Date: new Date().toUTCString() } }));
  });
  noteClock(new Response('', { headers: { Date: 'Sat, 01 Jun 2069 12:00:00 GMT' } }));
  let asked;
  globalThis.fetch = async (address) => {
    asked = address;
    return new Response('{"events": []}');
  };
  await findEvents(['iron']);
  assert.match(asked, /from=2068-06-01&to=2070-06-01$/);
});

test('both languages of the search and the programme say the same things', () => {
  for (const { dictionary } of dictionaries) assert.deepEqual(shape(dictionary.de), shape(dictionary.en));
});
