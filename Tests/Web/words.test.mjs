import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { shape } from './shape.mjs';

const { choose, civil, moment } = await page('/words.js');
const { dated, dictionary, said, saidOrDated } = await page('/moments.js');
const dictionaries = await Promise.all(
  ['/moments.js', '/space/words.js', '/space/about-words.js', '/programme/words.js'].map(page));
const { sentences, signDictionary } = await page('/space/sign-words.js');
const { isWeb } = await page('/addresses.js');
const { contactLink, spaceName } = await page('/space/contact.js');
const { size } = await page('/sizes.js');

const BERLIN = 'Europe/Berlin';
const at = (text) => Date.parse(text);

test('the first of the reader’s languages that we speak decides, with its own way to write dates', () => {
  assert.deepEqual(choose(['en', 'de'], ['fr-FR', 'de-AT', 'en']), { language: 'de', locale: 'de-AT' });
  assert.deepEqual(choose(['en', 'de'], ['ja']), { language: 'en', locale: 'en' });
  assert.deepEqual(choose(['en', 'de'], []), { language: 'en', locale: 'en' });
});

test('the civil date is that of the space’s time zone', () => {
  const night = { year: 2026, month: 11, day: 21, hour: 0, minute: 30, days: 20778 };
  assert.deepEqual(civil(at('2026-11-20T23:30:00Z'), BERLIN), night);
  assert.equal(civil(at('2026-03-29T00:59:00Z'), BERLIN).hour, 1);
  assert.equal(civil(at('2026-03-29T01:00:00Z'), BERLIN).hour, 3);
});

test('a moment is told by how near its day is', () => {
  const now = at('2026-11-20T18:45:00+01:00');
  const near = (text) => moment(at(text), now, BERLIN, 'en-GB').near;
  assert.equal(near('2026-11-20T00:00:00+01:00'), 'today');
  assert.equal(near('2026-11-19T23:59:00+01:00'), 'yesterday');
  assert.equal(near('2026-11-21T00:00:00+01:00'), 'tomorrow');
  assert.equal(near('2026-11-14T12:00:00+01:00'), 'week');
  assert.equal(near('2026-11-13T12:00:00+01:00'), 'date');
  assert.equal(near('2025-11-20T12:00:00+01:00'), 'year');
});

test('the day of 25 hours has no second yesterday', () => {
  const late = at('2026-10-25T23:30:00+01:00');
  assert.equal(moment(at('2026-10-25T00:10:00+02:00'), late, BERLIN, 'de').near, 'today');
});

test('moments in both languages', () => {
  const now = at('2026-11-20T18:45:00+01:00');
  const both = (text) => [['en', 'en-GB'], ['de', 'de-DE']].map(([language, locale]) =>
    said(at(text), now, BERLIN, dictionary[language], locale));
  assert.deepEqual(both('2026-11-20T18:40:00+01:00'), ['18:40', '18:40 Uhr']);
  assert.deepEqual(both('2026-11-19T21:10:00+01:00'), ['yesterday 21:10', 'gestern 21:10 Uhr']);
  assert.deepEqual(both('2026-11-17T21:10:00+01:00'), ['Tuesday 21:10', 'Dienstag 21:10 Uhr']);
  assert.deepEqual(both('2026-10-03T09:05:00+02:00'), ['3 October, 09:05', '3. Oktober, 09:05 Uhr']);
  assert.deepEqual(both('2024-10-03T09:05:00+02:00'), ['3 October 2024', '3. Oktober 2024']);
});

test('a weekday alone is the coming one: what is over has its date', () => {
  const now = at('2026-11-20T18:45:00+01:00');
  const both = (say, text) => [['en', 'en-GB'], ['de', 'de-DE']].map(([language, locale]) =>
    say(at(text), now, BERLIN, dictionary[language], locale));
  assert.deepEqual(both(saidOrDated, '2026-11-21T16:00:00+01:00'), ['tomorrow 16:00', 'morgen 16:00 Uhr']);
  assert.deepEqual(both(saidOrDated, '2026-11-24T16:00:00+01:00'), ['Tuesday 16:00', 'Dienstag 16:00 Uhr']);
  assert.deepEqual(both(saidOrDated, '2026-11-19T16:00:00+01:00'), ['yesterday 16:00', 'gestern 16:00 Uhr']);
  assert.deepEqual(both(saidOrDated, '2026-11-17T16:00:00+01:00'), ['17 November, 16:00', '17. November, 16:00 Uhr']);
  assert.deepEqual(both(dated, '2026-11-20T16:00:00+01:00'), ['20 November, 16:00', '20. November, 16:00 Uhr']);
  assert.deepEqual(both(dated, '2025-11-24T16:00:00+01:00'),
    ['24 November 2025, 16:00', '24. November 2025, 16:00 Uhr']);
});

test('German says everything that English says', () => {
  for (const { dictionary: one } of dictionaries) assert.deepEqual(shape(one.de), shape(one.en));
});

test('pages have one German word for what is saved, and for what may be left empty', () => {
  const sources = new URL('../../Sources/', import.meta.url);
  const pages = readdirSync(sources, { recursive: true }).filter((name) => /\/Web\/.*\.js$/.test(name));
  assert.ok(pages.length > 300);
  const others = /\b(sichern|gesichert|freiwillig|kann fehlen)\b/gi; // Speichern, gespeichert, kann frei bleiben
  const found = pages.flatMap((name) => (readFileSync(new URL(name, sources), 'utf8').match(others) ?? [])
    .map((word) => `${name}: ${word}`));
  assert.deepEqual(found, []);
  const optional = pages.flatMap((name) =>
    readFileSync(new URL(name, sources), 'utf8').match(/\boptional: '.*?'/g) ?? []);
  assert.deepEqual(new Set(optional), new Set(["optional: '(optional)'", "optional: '(kann frei bleiben)'"]));
});

test('contacts become links only when they are what their key promises', () => {
  assert.equal(contactLink('email', 'ahoy@example.org'), 'mailto:ahoy@example.org');
  assert.equal(contactLink('email', 'ahoy at example'), null);
  assert.equal(contactLink('phone', '+49 (421) 146-29'), 'tel:+4942114629');
  assert.equal(contactLink('matrix', '#space:example.org'), 'https://matrix.to/#/%23space%3Aexample.org');
  assert.equal(contactLink('mastodon', '@space@chaos.social'), 'https://chaos.social/@space');
  assert.equal(contactLink('irc', 'ircs://irc.libera.chat/#space'), 'ircs://irc.libera.chat/#space');
  assert.equal(contactLink('facebook', 'https://facebook.example/space'), 'https://facebook.example/space');
  assert.equal(contactLink('irc', 'javascript:alert(1)'), null);
  assert.equal(contactLink('facebook', 'javascript:alert(1)'), null);
  assert.equal(isWeb('javascript:alert(1)'), false);
  assert.equal(isWeb('https://example.org/a'), true);
  assert.equal(isWeb(null), false);
});

test('what stands around the sign is said in both languages', () => {
  assert.deepEqual(shape(signDictionary.en), shape(signDictionary.de));
});

test('what is usual is said by the days', () => {
  const day = (weekday, from, to) => ({ weekday, from, to });
  assert.deepEqual(sentences([day(2, '18:00', '22:00'), day(4, '18:00', '01:00')]),
    ['Usually open on Tuesdays and Thursdays from 18:00']);
  assert.deepEqual(sentences([
    day(1, '00:00', '08:00'), day(5, '16:00', '24:00'), day(6, '00:00', '24:00'), day(7, '00:00', '24:00'),
  ]), ['Usually open on Fridays from 16:00', 'Usually open on Saturdays and Sundays all day']);
  const { sentence, openEnd } = signDictionary.de.hours;
  assert.equal(sentence(['dienstags'], openEnd('18:00')), 'Dienstags meist ab 18:00 Uhr offen');
});

test('another space is called by its place until it says its name', () => {
  assert.equal(spaceName({ name: 'Südpol', url: 'https://a.example/' }), 'Südpol');
  assert.equal(spaceName({ url: 'https://www.a.example:443/spaceapi.json' }), 'a.example');
  assert.equal(spaceName({ name: null, url: 'http://a.example:8080/spaceapi.json' }), 'a.example:8080');
  assert.equal(spaceName({ url: 'not an address' }), 'not an address');
});

test('sizes are whole numbers, with a decimal place below ten and for gigabytes', () => {
  const sizes = [0, 400, 740_000, 4_100_000, 41_400_000, 5_200_000_000, 14_300_000_000, 2_000_000_000_000];
  assert.deepEqual(sizes.map(size), ['0 KB', '1 KB', '740 KB', '4.1 MB', '41 MB', '5.2 GB', '14.3 GB', '2 TB']);
});
