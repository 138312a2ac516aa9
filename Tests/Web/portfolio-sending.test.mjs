// What the form of sending says to the hub, and how marks are put together.

import assert from 'node:assert/strict';
import test from 'node:test';
import {
  chosenAtFirst, idsOf, isIn, isSame, numberOf, offered, sendsPrivate, withGallery, withPicture,
} from '../../Sources/Apps/Portfolio/Web/sending/choice.js';
import { page } from './pages.mjs';

const { addressesIn, byClient, dayOf, downloadsOf, endOf, hasPlaces, wishOf } = await page(
  '/portfolio/sending/fields.js');
const { dictionary: { en, de } } = await page('/portfolio/sending/words.js');

const form = {
  title: ' Two series ', text: '', pin: '24 68', until: '2026-12-21', download: '2048', details: false,
  isPrivate: false, galleries: ['a'], pictures: [],
};

test('a form becomes a wish: digits alone are a PIN, a day ends at midnight', () => {
  const wish = wishOf(form, null);
  assert.equal(wish.title, 'Two series');
  assert.equal(wish.pin, '2468');
  assert.deepEqual(wish.shows, ['title', 'caption']);
  assert.equal(new Date((wish.until + 1) * 1000).getTime(), new Date(2026, 11, 22).getTime());
  assert.deepEqual(wishOf({ ...form, details: true }, null).shows, ['title', 'caption', 'taken', 'place']);
  assert.deepEqual(['flickr', 'folder'].map((kind) => hasPlaces({ source: { kind } })), [true, false]);
});

const [coast, fog] = [{ id: 'coast', count: 2 }, { id: 'fog', count: 1 }];
const pictures = { coast: [{ id: 'a' }, { id: 'b' }], fog: [{ id: 'c' }] };
const picturesOf = (id) => pictures[id];

test('galleries are chosen whole, and picture by picture', () => {
  assert.deepEqual(idsOf(chosenAtFirst([coast], null, picturesOf)), { galleries: ['coast'], pictures: [] });
  let choice = chosenAtFirst([coast, fog], null, picturesOf);
  assert.equal(idsOf(choice), null, 'one client does not get the gallery of another one by itself');
  choice = withGallery(withGallery(choice, 'coast', true), 'fog', true);
  assert.deepEqual(idsOf(choice), { galleries: ['coast', 'fog'], pictures: [] });
  choice = withPicture(choice, 'coast', 'a', false, pictures.coast);
  assert.deepEqual([isIn(choice, 'coast', 'a'), isIn(choice, 'coast', 'b')], [false, true]);
  assert.deepEqual([numberOf(choice, coast, pictures.coast), numberOf(choice, fog, undefined)], [1, 1]);
  choice = withGallery(choice, 'fog', false);
  assert.deepEqual(idsOf(choice), { galleries: [], pictures: ['b'] });
  assert.equal(withPicture(choice, 'coast', 'a', true, pictures.coast).coast, true);
  assert.equal(idsOf(withPicture(choice, 'coast', 'b', false, pictures.coast)), null);
});

test('a change begins with what was sent: new pictures of a gallery are not in it by themselves', () => {
  const before = { galleries: ['coast'], pictures: ['a'] };
  assert.deepEqual(idsOf(chosenAtFirst([coast, fog], before, picturesOf)), { galleries: [], pictures: ['a'] });
  assert.equal(chosenAtFirst([coast], { galleries: ['coast'], pictures: ['b', 'a'] }, picturesOf).coast, true);
  // A private picture that did not go along is not missing.
  const own = () => [{ id: 'a' }, { id: 'secret', private: true }];
  assert.equal(chosenAtFirst([coast], before, own).coast, true);
  assert.equal(chosenAtFirst([coast], before, () => undefined).coast, true);
});

test('a change begins with the private pictures that were sent, and with galleries that are not on the wall', () => {
  const own = (id) => ({ coast: [{ id: 'a' }, { id: 'secret', private: true }], fog: [{ id: 'c' }] })[id];
  const before = { galleries: ['coast', 'fog'], pictures: ['a', 'secret', 'c'] };
  const all = [coast, { ...fog, hidden: true }, { id: 'other', hidden: true }, { id: 'hearts', favourites: true }];
  assert.deepEqual(offered(all, before).map(({ id }) => id), ['coast', 'fog']);
  assert.deepEqual(offered(all, null).map(({ id }) => id), ['coast']);
  assert.equal(sendsPrivate(all, before, own), true);
  assert.equal(sendsPrivate(all, { galleries: ['coast'], pictures: ['a'] }, own), false);
  assert.equal(sendsPrivate(all, null, own), false);
  // Where some of the private ones went along, another one is missing: the gallery is not a whole then.
  const two = (id) => [...own(id), ...(id === 'coast' ? [{ id: 'later', private: true }] : [])];
  assert.deepEqual([...chosenAtFirst([coast], before, two).coast].sort(), ['a', 'c', 'secret']);
  assert.equal(chosenAtFirst([coast], before, own).coast, true);
});

test('a change of the title alone says nothing of the pictures', () => {
  const before = { galleries: ['coast'], pictures: ['a'], pin: '2468', until: null };
  const [first, again] = [1, 2].map(() => chosenAtFirst([coast, fog], before, picturesOf));
  assert.equal(isSame(again, first), true);
  assert.equal(isSame(withPicture(again, 'coast', 'b', true, pictures.coast), first), false);
  assert.equal(isSame(withGallery(again, 'fog', true), first), false);
  const wish = wishOf({ ...form, galleries: undefined, pictures: undefined }, before);
  assert.deepEqual(['galleries', 'pictures', 'private'].filter((name) => name in wish), []);
  assert.deepEqual([wishOf(form, before).private, wishOf(form, before).galleries], [false, ['a']]);
});

test('a PIN that stays is not sent again, and an end can be taken away', () => {
  assert.equal('pin' in wishOf(form, { pin: '2468', until: null }), false);
  assert.equal(wishOf({ ...form, pin: '' }, { pin: '2468' }).pin, null);
  assert.equal('until' in wishOf({ ...form, until: '' }, null), false);
  assert.equal(wishOf({ ...form, until: '' }, { pin: null, until: '2026-12-21T22:59:59Z' }).until, null);
});

test('what stays as it was in the form is not sent: it may be changed elsewhere meanwhile', () => {
  const before = { title: 'Two', text: 'Hello', download: 'original', shows: ['title', 'taken'], pin: null,
    until: '2026-12-21T12:00:00Z' };
  const kept = { ...form, ...before, pin: '', until: dayOf(before.until), galleries: undefined };
  assert.deepEqual(wishOf(kept, before), {});
  assert.deepEqual(wishOf({ ...kept, text: '' }, before), { text: '' });
  assert.deepEqual(wishOf({ ...kept, details: true }, before).shows, ['title', 'caption', 'taken', 'place']);
});

test('originals are offered where there are some', () => {
  const has = (kind, before) => downloadsOf({ source: { kind } }, before).includes('original');
  assert.deepEqual([has('uploads', null), has('flickr', null), has('flickr', { download: 'original' })],
    [true, false, true]);
});

test('a day is the same there and back', () => {
  assert.equal(dayOf(endOf('2026-12-21') * 1000), '2026-12-21');
  assert.equal(endOf(''), null);
  assert.equal(dayOf(null), '');
  const { TZ } = process.env;
  process.env.TZ = 'Europe/Berlin';
  try {
    // Days of 23 and of 25 hours.
    assert.deepEqual(['2026-03-29', '2026-10-25'].map((day) => new Date(endOf(day) * 1000).toISOString()),
      ['2026-03-29T21:59:59.000Z', '2026-10-25T22:59:59.000Z']);
  } finally {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  }
});

test('addresses in a line, and marks by client in their order', () => {
  assert.deepEqual(addressesIn('a@b.example, c@d.example;e@f.example'), ['a@b.example', 'c@d.example', 'e@f.example']);
  const marks = [{ client: 2, name: 'B', id: 1 }, { client: 1, name: null, id: 2 }, { client: 2, name: 'B', id: 3 }];
  assert.deepEqual(byClient(marks).map(({ client, marks: all }) => [client, all.length]), [[2, 2], [1, 1]]);
});

test('both languages have the same words', () => {
  assert.deepEqual(Object.keys(de).sort(), Object.keys(en).sort());
  for (const { detailsHint } of [en, de]) assert.match(detailsHint, /Original/i, 'the hub sends them as they came');
});
