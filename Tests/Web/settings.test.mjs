// The settings page's handling of pasted and typed input.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { shape } from './shape.mjs';

globalThis.customElements ??= { define() {} };
globalThis.HTMLElement ??= class {};
globalThis.location ??= new URL('http://hub.example/settings/place');

const { isPasted, isShortLink, parseDegree, parsePlace } = await page('/settings/place/map-link.js');
const { dictionary } = await page('/settings/place/words.js');

const { blanks, merge } = await page('/settings/place/versions.js');
const { webAddress } = await page('/settings/place/addresses.js');
const ofSpace = await page('/space/settings/words.js');
const ofCalendars = await page('/programme/settings/words.js');
const { settings: ofSpacePage } = await page('/space/settings/sections.js');
const addresses = await page('/programme/settings/addresses.js');
const { calendarAddress, keptUploads, LONGEST: ofCalendarFields, uploadID } = addresses;
const { LONGEST: ofSpaceFields } = await page('/space/limits.js');
const { hours } = await page('/space/opening-hours.js');
const { daysText } = await page('/space/settings/weekdays.js');

const BREMEN = { lat: 53.0838, lon: 8.7922 };

const links = {
  'two numbers': '53.0838, 8.7922',
  'two numbers in brackets': '(53.0838, 8.7922)',
  'two numbers with a space': ' 53.0838 8.7922 ',
  'German numbers': '53,0838 8,7922',
  'German numbers with a semicolon': '53,0838; 8,7922',
  'a geo address': 'geo:53.0838,8.7922?z=18',
  'OpenStreetMap’s pin, not the middle': 'https://www.openstreetmap.org/?mlat=53.0838&mlon=8.7922#map=18/53.1/8.9',
  'the middle of OpenStreetMap': 'https://www.openstreetmap.org/#map=18/53.0838/8.7922',
  'OpenStreetMap’s node with the map': 'https://www.openstreetmap.org/node/1?foo=1#map=19/53.0838/8.7922&layers=N',
  'Google’s pin, not the middle':
    'https://www.google.com/maps/place/X/@53.2,8.1,17z/data=!3m1!4m5!8m2!3d53.0838!4d8.7922',
  'the middle of Google Maps': 'https://www.google.com/maps/@53.0838,8.7922,17z',
  'Google’s search': 'https://www.google.com/maps/search/?api=1&query=53.0838%2C8.7922',
  'Google’s old link': 'https://maps.google.com/?q=53.0838,8.7922',
  'Apple’s link': 'https://maps.apple.com/?ll=53.0838,8.7922&q=Nordlicht',
  'Apple’s new link': 'https://maps.apple.com/place?coordinate=53.0838,8.7922&name=X',
};
for (const [name, link] of Object.entries(links)) {
  test(`a place is found in ${name}`, () => assert.deepEqual(parsePlace(link), BREMEN));
}

test('degrees, minutes and seconds are a place too, in two languages', () => {
  const near = { lat: 53.083806, lon: 8.792194 };
  assert.deepEqual(parsePlace('53°05\'01.7"N 8°47\'31.9"E'), near);
  assert.deepEqual(parsePlace('53° 5′ 1,7″ N, 8° 47′ 31,9″ O'), near);
  assert.deepEqual(parsePlace('33.5°S 70.25°W'), { lat: -33.5, lon: -70.25 });
});

test('the south and the west are negative', () => {
  assert.deepEqual(parsePlace('https://www.google.com/maps/@-33.45,-70.66,15z'), { lat: -33.45, lon: -70.66 });
});

test('what is no place is none', () => {
  for (const text of ['', ' ', undefined, 'Bremen', '53.08', '99.0, 8.0', '53.1, 181', 'https://maps.app.goo.gl/AbC',
    'javascript:alert(1)', 'https://nordlicht.example/1,2', '%E0%A4%A', '1'.repeat(500)]) {
    assert.equal(parsePlace(text), null, text);
  }
});

test('a link that was shortened is known as one', () => {
  assert.ok(isShortLink('https://maps.app.goo.gl/AbC'));
  assert.ok(isShortLink(' https://osm.org/go/0GH '));
  assert.ok(!isShortLink('https://www.openstreetmap.org/#map=18/53.1/8.9'));
});

test('what is typed into the field for a link is told from what is pasted', () => {
  for (const text of ['53.0838, 8.7922', '53,0838 8,7922']) {
    for (let length = 1; length <= text.length; length += 1) {
      assert.ok(!isPasted(text.slice(0, length - 1), text.slice(0, length)), text.slice(0, length));
      assert.ok(!isPasted(text.slice(0, length), text.slice(0, length - 1)), 'a letter is taken back');
    }
    const others = ['', 'Bremen', text.slice(0, 5), links['Google’s old link']];
    for (const before of others) assert.ok(isPasted(before, text));
  }
  assert.ok(!isPasted('53.838, 8.7922', '53.0838, 8.7922'), 'a letter in the middle');
});

test('a degree is typed with a comma or a point', () => {
  assert.equal(parseDegree('53,0838'), 53.0838);
  assert.equal(parseDegree(' -8.5° '), -8.5);
  assert.equal(parseDegree(''), null);
  assert.ok(Number.isNaN(parseDegree('north')));
});

test('a web address may be typed without its beginning', () => {
  assert.equal(webAddress('nordlicht.example'), 'https://nordlicht.example');
  assert.equal(webAddress('nordlicht.example:8080/x'), 'https://nordlicht.example:8080/x');
  assert.equal(webAddress(' http://nordlicht.example '), 'http://nordlicht.example');
  assert.equal(webAddress('javascript:alert(1)'), 'javascript:alert(1)'); // refused later
  assert.equal(webAddress('  '), null);
});

test('a calendar’s address is taken as other programs write it', () => {
  assert.equal(calendarAddress(' webcal://a.example/x.ics '), 'https://a.example/x.ics');
  assert.equal(calendarAddress('http://a.example/x.ics'), 'http://a.example/x.ics');
});

test('an uploaded file gets a name that the hub takes, once', () => {
  assert.equal(uploadID('Programme 2026.ics', []), 'programme-2026');
  assert.equal(uploadID('Öffnungen.ics', []), 'o-ffnungen');
  assert.equal(uploadID('a.ics', ['a', 'a-2']), 'a-3');
  assert.equal(uploadID('日程.ics', []), 'calendar');
  assert.match(uploadID(`${'x'.repeat(100)}.ics`, ['x'.repeat(34)]), /^[a-z0-9-]{1,40}$/);
});

test('an uploaded file replaces none that is in use, nor one that another owner may be about to save', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  const uploads = [{ id: 'used', used: true, uploaded_at: '2026-01-01T12:00:00Z' },
    { id: 'new', used: false, uploaded_at: '2026-11-20T12:30:00+01:00' },
    { id: 'old', used: false, uploaded_at: '2026-11-01T12:00:00Z' }];
  assert.deepEqual(keptUploads(uploads, now), ['used', 'new']);
  assert.equal(uploadID('Used.ics', keptUploads(uploads, now)), 'used-2');
});

test('what the hub refuses of a keymaster stands beside their field, also behind an empty one', () => {
  const { part } = ofSpacePage.sections.find(({ order }) => order === 30);
  const { take, fieldOf } = part({ contact: { keymasters: [{}, { name: 'Ada' }, {}, { name: 'Ben' }] } }, {});
  const said = { url: '', 'keymaster.2.email': 'ada@home', 'keymaster.4.phone': '1' };
  const elements = Object.fromEntries(Object.entries(said).map(([name, value]) => [name, { value }]));
  const wanted = {};
  take(wanted, {}, { elements });
  assert.deepEqual(wanted.contact.keymasters, [{ email: 'ada@home' }, { phone: '1' }]);
  assert.equal(fieldOf('contact.keymasters[0].email'), 'keymaster.2.email');
  assert.equal(fieldOf('contact.keymasters[1].phone'), 'keymaster.4.phone');
  assert.equal(fieldOf('contact.keymasters[1]'), 'keymaster.4.email');
  assert.equal(fieldOf('contact.email'), 'contact.email');
});

test('whoever gives no way that directories know is told which ones they know', () => {
  const { part } = ofSpacePage.sections.find(({ order }) => order === 30);
  const { take } = part({ contact: { keymasters: [{ name: 'Ada' }] } }, {});
  const wrong = {};
  take({}, wrong, { elements: { url: { value: '' }, 'keymaster.1.matrix': { value: '@ada:s.example' } } });
  assert.match(wrong['keymaster.1.email'], /e-mail, phone, IRC, Twitter/);
});

test('days stand together as opening_hours writes them', () => {
  assert.equal(daysText(['Tu']), 'Tu');
  assert.equal(daysText(['Th', 'Tu']), 'Tu,Th');
  assert.equal(daysText(['Mo', 'Tu', 'We', 'Th', 'Fr']), 'Mo-Fr');
  assert.equal(daysText(['Mo', 'Tu', 'We', 'Sa', 'Su']), 'Mo-We,Sa,Su');
});

test('opening hours are translated, and a text in own words is not', () => {
  assert.equal(hours('Tu,Th 18:00-23:00; We[-1] off'), 'Tue, Thu 18:00–23:00\nWed[-1] off');
  for (const text of ['We are open on Tuesdays from 19:00; phone 0421-123456', 'Mo und Do, Eintritt 2,50 €', '']) {
    assert.equal(hours(text), text);
  }
});

test('of two first forms what only one has filled in is taken, and the rest is asked for', () => {
  const mine = { name: 'Late', timezone: 'Europe/Berlin', address: null, calendars: [], tonight_at: 'off' };
  const theirs = {
    name: 'First', timezone: 'Europe/Berlin', address: 'Kai 1', calendars: [{ url: 'x' }], tonight_at: '16:00',
  };
  const { merged, conflicts } = merge(blanks(mine), mine, theirs);
  assert.deepEqual(conflicts, ['name']);
  assert.deepEqual([merged.address, merged.calendars, merged.tonight_at], ['Kai 1', [{ url: 'x' }], '16:00']);
});

test('the settings say the same in German and English', () => {
  for (const one of [dictionary, ofSpace.dictionary, ofCalendars.dictionary]) {
    assert.deepEqual(shape(one.de), shape(one.en));
  }
  const { en, de } = ofCalendars.dictionary;
  assert.deepEqual([1, 2].map((events) => [en, de].map((one) => one.state.good('x', events).split('; ')[1])),
    [['1 event.', '1 Termin.'], ['2 events.', '2 Termine.']]);
});

for (const [room, longest] of Object.entries({ Space: ofSpaceFields, Programme: ofCalendarFields })) {
  test(`fields take as many characters as the hub: ${room}`, () => {
    const path = new URL(`../../Sources/Apps/${room}/Model/${room}Limits.swift`, import.meta.url);
    const limits = readFileSync(path, 'utf8').matchAll(/static let (\w+) = ([\d_]+)$/gm);
    const known = Object.fromEntries([...limits].map(([, name, number]) => [name, Number(number.replaceAll('_', ''))]));
    assert.deepEqual(longest, Object.fromEntries(Object.keys(longest).map((name) => [name, known[name]])));
  });
}
