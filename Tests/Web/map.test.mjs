import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { shape } from './shape.mjs';

const { eventMap, isAddress } = await page('/map.js');
const words = await Promise.all(['/programme/openers-words.js', '/programme/subscribe-words.js'].map(page));

const ANDROID = 'Mozilla/5.0 (Linux; Android 16)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)';
const SPACE = { name: 'Nordlicht', lat: 53.1, lon: 8.8, address: 'Am Speicher 8, 28195 Bremen' };

test('an address is told from the name of a room', () => {
  const addresses = ['Am Speicher 8, Bremen', 'Hafen 2\n28195 Bremen', '28195 Bremen'];
  for (const text of addresses) assert.ok(isAddress(text), text);
  for (const text of ['Workshop 2', 'All rooms, and the yard', 'Attic']) assert.ok(!isAddress(text), text);
});

test('the event’s own place counts, then its address, then the space', () => {
  const at = (event, agent = IPHONE, space = SPACE) => eventMap(event, space, agent);
  assert.match(at({ lat: 50.5, lon: 7.25, location: 'Zeltplatz' }), /openstreetmap\.org\/\?mlat=50\.5&mlon=7\.25/);
  const search = 'https://www.openstreetmap.org/search?query=Hafen%202%2C%20K%C3%B6ln';
  assert.equal(at({ location: 'Hafen 2, Köln' }), search);
  assert.match(at({ location: 'Workshop' }), /mlat=53\.1&mlon=8\.8/);
  assert.match(at({ location: null }, IPHONE, { address: SPACE.address }), /search\?query=Am%20Speicher/);
  assert.equal(at({ location: 'https://meet.example/room' }), null);
  assert.equal(at({ location: null }, IPHONE, {}), null);
});

test('an Android phone opens its own map', () => {
  assert.equal(eventMap({ lat: 50.5, lon: 7.25, location: 'A & B' }, SPACE, ANDROID),
    'geo:50.5,7.25?q=50.5,7.25(A%20%26%20B)');
  assert.equal(eventMap({ location: 'Hafen 2, Köln' }, SPACE, ANDROID), 'geo:0,0?q=Hafen%202%2C%20K%C3%B6ln');
});

test('both languages say the same things', () => {
  for (const { dictionary } of words) assert.deepEqual(shape(dictionary.de), shape(dictionary.en));
});
