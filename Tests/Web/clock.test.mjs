// The talking clock's page: its rules as WebAssembly, the words, the times of the audio clock, and recordings.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { shape } from './shape.mjs';

const { INTERVALS, minuteAt, minuteOf, speakingRulesFrom, zoneOf } = await page('/clock/speaking-rules.js');
const { bellsInWords, inWords, nameOf, written } = await page('/clock/parts.js');
const { aheadOf, AHEAD, changes, middle, MOST, nextTimeOfDay, planned, readings } = await page('/clock/timeline.js');
const { arc, bellPlaces, hands, point, rings } = await page('/clock/dial.js');
const { picture, summary, verdict } = await page('/clock/lateness.js');
const { inTurn, isUnreached, Voices } = await page('/clock/voices.js');
const { joined, RATE, wavOf } = await page('/clock/wav.js');
const { HubError } = await page('/keep.js');
const { offsetAt } = await page('/zones.js');
globalThis.location ??= { origin: 'http://hub.example' };
globalThis.addEventListener ??= () => {};
globalThis.navigator ??= { onLine: true }; // Node.js 20 has none
const { whenOf } = await page('/clock/where.js');
const { about } = await page('/clock/voice-card.js');
const { partsOf } = await page('/clock/record/phrases.js');
const { now, place } = await page('/place.js');

const root = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root));
const rules = await speakingRulesFrom(read('.build/wasm/release/speakingclock.wasm'));
const vectors = (file) => JSON.parse(read(`Tests/Fixtures/clock/${file}`));

test('the rules announce as the vectors say, as they do natively', () => {
  const all = vectors('announcements.json');
  assert.ok(all.length > 20);
  for (const { settings, zone, after, at, parts } of all) {
    const found = rules.of(settings, zone).next(after);
    assert.deepEqual(found, at === null ? null : { at, parts }, JSON.stringify({ settings, zone, after }));
  }
});

test("ship's bells are as the vectors say, as they are natively", () => {
  for (const { minute, count, watch } of vectors('bells.json')) {
    assert.deepEqual(rules.bells(minute), { count, watch }, String(minute));
  }
});

test('since when a device is silent is told with the day, unless that is today', () => {
  now.set(new Date(2026, 10, 23, 12).getTime());
  assert.deepEqual([23, 22, 20].map((day) => whenOf(new Date(2026, 10, day, 8, 15).toISOString())),
    ['08:15', 'yesterday 08:15', 'Friday 08:15']);
});

test('a voice says on which day of which year it was recorded, by the clocks of the space', () => {
  place.set({ timezone: 'Europe/Berlin' });
  const parts = partsOf('en').map(({ part }) => part);
  assert.match(about({ id: '1', kind: 'recorded', parts, created_at: '2025-12-31T23:30:00Z' }),
    /January 1, 2026|1 January 2026/);
});

test('what is said at a minute, and which parts are ever needed', () => {
  const quarters = rules.of({}, 'UTC');
  assert.deepEqual(quarters.say(21 * 60 + 45), ['9', '45', 'PM']);
  const needed = quarters.needed();
  assert.equal(needed.length, 18, 'seventeen to record, and the stroke');
  assert.deepEqual(needed.filter((one) => /\D/.test(one)).sort(), ['AM', 'PM', 'bigben']);
  for (const every of INTERVALS) assert.ok(rules.of({ every }, 'UTC').next(0).at === every * 60);
});

test('two clocks beside each other do not mix their settings, and odd ones are refused', () => {
  const [english, german] = [rules.of({}, 'UTC'), rules.of({ language: 'de' }, 'Asia/Kathmandu')];
  assert.deepEqual(english.next(0).parts, ['12', '15', 'AM']);
  assert.deepEqual(german.next(0).parts, ['viertel', 'vor', '6']);
  assert.deepEqual(english.next(0).parts, ['12', '15', 'AM']);
  assert.throws(() => rules.of({ every: 7 }).next(0), RangeError);
  assert.throws(() => rules.of({ strokes: 'many' }).next(0), RangeError);
});

test('a zone that this browser does not know is the time of where it is', () => {
  assert.equal(zoneOf({ zone: 'Asia/Kathmandu' }), 'Asia/Kathmandu');
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  assert.deepEqual([zoneOf({ zone: 'device' }), zoneOf({ zone: 'Mars/Olympus' }), zoneOf({})], [here, here, here]);
});

test('codes of parts have the names of Swift', () => {
  const swift = read('Sources/Portable/SpeakingClock/Part.swift').toString();
  const words = /enum Word[^]*?\n  }/.exec(swift)[0].matchAll(/^ +case (\w+)(?: = "(\w+)")?$/gm);
  const names = Array.from({ length: 18 }, (_, at) => nameOf(200 + at));
  assert.deepEqual([...words].map(([, name, own]) => own ?? name), names);
  assert.equal(nameOf(218), undefined);
  assert.deepEqual([nameOf(0), nameOf(59), nameOf(105)], ['0', '59', '05']);
});

test('an announcement in words', () => {
  assert.equal(inWords(['9', '45', 'PM'], 'en'), 'nine forty-five PM');
  assert.equal(inWords(['bigben', '3', 'oclock', 'PM'], 'en'), 'three o’clock PM');
  assert.equal(inWords(['15', '05'], 'en'), 'fifteen oh five');
  assert.equal(inWords(['0', 'hundred'], 'en'), 'zero hundred');
  assert.equal(inWords(['viertel', 'vor', '10'], 'de'), 'Viertel vor zehn');
  assert.equal(inWords(['viertel', '4'], 'de'), 'viertel vier');
  assert.equal(inWords(['5', 'vor', 'halb', '4'], 'de'), 'fünf vor halb vier');
  assert.equal(inWords(['21', 'uhr', '31'], 'de'), 'einundzwanzig Uhr einunddreißig');
  assert.equal(inWords(['ein', 'uhr', '1'], 'de'), 'ein Uhr eins');
  assert.equal(inWords(['bells', 'bell'], 'en'), 'three bells');
  assert.equal(inWords(['bell'], 'de'), 'ein Glas');
  assert.equal(bellsInWords(8, 'de'), 'acht Glasen');
  assert.equal(written('bigben', 'en'), '');
  for (let minute = 0; minute < 1440; minute += 1) {
    for (const language of ['en', 'de']) {
      const said = inWords(rules.of({ language, every: 1 }, 'UTC').say(minute), language);
      assert.match(said, /^[\p{L}’ -]{5,}$/u, said);
    }
  }
});

test('half an hour is laid ahead, never what is over, nothing while it is muted', () => {
  const quarters = rules.of({}, 'UTC');
  const at = (settings) => planned(quarters, settings).map((one) => one.at);
  assert.deepEqual(at({ now: 890 }), [900, 1800, 2700].filter((one) => one <= 890 + AHEAD));
  assert.deepEqual(at({ now: 901.9 }), [900, 1800, 2700]);
  assert.deepEqual(at({ now: 903.1 })[0], 1800);
  assert.deepEqual(at({ now: 900.5, after: 900 })[0], 1800, 'what was begun does not come again');
  assert.ok(at({ now: 1_000_000 }).every((one) => one > 1_000_000), 'after a long sleep nothing is made up for');
  assert.deepEqual(at({ now: 890, mutedUntil: 1800 }), [1800]);
  assert.deepEqual(at({ now: 890, mutedUntil: 86_400 }), []);
  assert.equal(planned(rules.of({ every: 1 }, 'UTC'), { now: 890 }).length, 30);
  assert.ok(MOST >= 30);
});

test('an instant on the audio clock is found by both clocks, also when one of them jumps', () => {
  // The page began at 1000 s; 5 s later the audio clock shows 2 s.
  const wall = 1_000_000;
  const ahead = aheadOf({ contextTime: 2, performanceTime: 5_000 }, wall);
  assert.equal(1010 + ahead, 7);
  let seen = [];
  for (const one of [0, 0.004, -0.003, 0.001, 0.002]) seen = readings(seen, ahead + one);
  assert.ok(Math.abs(middle(seen) - ahead - 0.001) < 1e-9);
  seen = readings(seen, ahead - 3600);
  assert.deepEqual(seen, [ahead - 3600], 'the machine slept for an hour');
  for (let count = 0; count < 50; count += 1) seen = readings(seen, ahead - 3600);
  assert.ok(seen.length < 20);
});

test('what is laid stays, unless its time or its words have changed', () => {
  const [one, two] = [{ key: '900 a', when: 10 }, { key: '1800 a', when: 910 }];
  assert.deepEqual(changes([], [one, two], 0), { drop: [], add: [one, two] });
  assert.deepEqual(changes([one, two], [one, two], 0), { drop: [], add: [] });
  assert.deepEqual(changes([one, two], [{ ...one, when: 10.002 }, two], 0), { drop: [], add: [] });
  const moved = { ...two, when: 910.03 };
  assert.deepEqual(changes([one, two], [one, moved], 0), { drop: [two], add: [moved] });
  const other = { key: '900 b', when: 10 };
  assert.deepEqual(changes([one], [other], 0), { drop: [one], add: [other] });
  assert.deepEqual(changes([one], [], 5), { drop: [one], add: [] }, 'muted');
  assert.deepEqual(changes([one], [], 10.5), { drop: [], add: [] }, 'what has begun is said to its end');
  assert.deepEqual(changes([one], [{ ...one, when: 10.1 }], 9.9), { drop: [], add: [] }, 'it is about to begin');
});

test('muted until the morning, over midnight and over a change of the clock', () => {
  const berlin = (at) => offsetAt(at, 'Europe/Berlin');
  const seven = minuteOf('07:00');
  const until = (text) => new Date(nextTimeOfDay(Date.parse(text) / 1000, seven, berlin) * 1000).toISOString();
  assert.equal(until('2026-06-01T21:00:00Z'), '2026-06-02T05:00:00.000Z');
  assert.equal(until('2026-06-01T04:59:59Z'), '2026-06-01T05:00:00.000Z');
  assert.equal(until('2026-06-01T05:00:00Z'), '2026-06-02T05:00:00.000Z');
  assert.equal(until('2026-03-28T21:00:00Z'), '2026-03-29T05:00:00.000Z');
  assert.equal(until('2026-10-24T21:00:00Z'), '2026-10-25T06:00:00.000Z');
  assert.equal(minuteAt(Date.parse('2026-06-01T22:30:10Z') / 1000, 'Europe/Berlin'), 30);
});

test('the face: hands, the places where it speaks, the arc until then', () => {
  assert.deepEqual(hands(0), [0, 0, 0]);
  assert.deepEqual(hands(15 * 3600 + 30 * 60 + 15), [105.125, 181.5, 90]);
  assert.deepEqual(point(15, 100).map(Math.round), [300, 200]);
  assert.equal(rings(15, 45).match(/z/g).length, 3);
  assert.equal(rings(1).match(/z/g).length, 60);
  assert.match(arc(38, 396), /^M\S+ \S+A162 162 0 0 1 /);
  assert.match(arc(10, 1900), / 0 1 1 /);
  assert.equal(arc(10, 3600) + arc(10, 0), '');
  for (let count = 1; count <= 8; count += 1) {
    const places = bellPlaces(count);
    assert.equal(places.length, count);
    assert.ok(Math.abs((places[0] + places.at(-1)) / 2 - 200) < 1e-9, 'in the middle');
  }
});

test('how punctual it was', () => {
  const all = [
    { at: '2026-06-01T07:00:00Z', what: 'spoke', late_ms: 4 },
    { at: '2026-06-01T07:15:00Z', what: 'spoke', late_ms: 30 },
    { at: '2026-06-01T07:30:00Z', what: 'missed', late_ms: null },
  ];
  assert.deepEqual(summary(all), { spoken: 2, worst: 30, later: 1, others: { missed: 1 } });
  const { dots, top, times } = picture(all, (at) => new Date(at * 1000).toISOString().slice(11, 16));
  assert.equal(dots.match(/z/g).length, 2);
  assert.equal(top, 40);
  assert.deepEqual(times.map(([text]) => text), ['07:00', '07:07', '07:15']);
  assert.deepEqual(picture([], String).times, []);
  assert.equal(picture([{ ...all[0], late_ms: 5000 }], String).top, 5000);
});

test('a clock of which nothing was heard is not praised', () => {
  const kind = (...all) => verdict(summary(all.map((what) => ({ what, late_ms: what === 'spoke' ? 4 : null }))));
  assert.equal(kind('spoke', 'spoke'), 'good');
  assert.equal(verdict(summary([{ what: 'spoke', late_ms: 30 }])), 'warn');
  assert.equal(kind('missed', 'no_audio'), 'warn');
  assert.equal(kind('no_audio', 'muted'), 'warn');
  assert.equal(kind('muted', 'alarm'), '');
});

test('joined clips are as long as their sum, and the file is what the hub takes', () => {
  const clips = [new Float32Array(7).fill(0.5), new Float32Array(0), new Float32Array(11).fill(-0.25)];
  assert.equal(joined(clips).length, 18);
  assert.deepEqual([...joined(clips)].slice(6, 8), [0.5, -0.25]);
  assert.equal(joined(clips, 3).length, 24);
  const file = Buffer.from(wavOf(joined(clips)));
  assert.equal(file.length, 44 + 36);
  assert.equal(file.toString('latin1', 0, 4) + file.toString('latin1', 8, 16), 'RIFFWAVEfmt ');
  assert.deepEqual([file.readUInt16LE(20), file.readUInt16LE(22), file.readUInt32LE(24), file.readUInt16LE(34)],
    [1, 1, RATE, 16]);
  assert.deepEqual([file.readInt16LE(44), file.readInt16LE(44 + 14)], [16_384, -8192]);
  assert.deepEqual([...Buffer.from(wavOf(new Float32Array([2, -2])))].slice(44), [255, 127, 1, 128]);
});

/** Decodes a file to as many samples as it has bytes. */
const context = { decodeAudioData: async (bytes) => ({ getChannelData: () => new Float32Array(bytes.byteLength) }) };

test('a part comes from the first voice that has it, and what nobody has is named', async () => {
  const lists = {
    mine: { parts: { 9: { sha256: 'a', url: '/a' } } }, english: { parts: { 45: { sha256: 'b', url: '/b' } } },
    bells: { parts: {} },
  };
  const asked = [];
  globalThis.fetch = async (url) => {
    asked.push(url);
    const body = { '/a': 'aaa', '/b': 'bbbbb' }[url];
    return new Response(body, { status: body ? 200 : 404 });
  };
  const voices = new Voices(context, async (id) => lists[id] ?? Promise.reject(new Error(id)));
  assert.deepEqual(inTurn({ voice: 'mine', language: 'de' }), ['mine', 'german', 'bells']);
  assert.deepEqual(inTurn({ voice: 'english', language: 'en' }), ['english', 'bells']);
  const made = await voices.announcement(['9', '45', 'PM'], { voice: 'mine', language: 'en' });
  assert.equal(made.samples.length, 8);
  assert.deepEqual(made.missing, ['PM']);
  await voices.announcement(['9', '45'], { voice: 'mine', language: 'en' });
  assert.deepEqual(asked, ['/a', '/b'], 'each part is fetched once');
  const gone = await voices.announcement(['9'], { voice: 'deleted', language: 'de' });
  assert.deepEqual(gone.missing, ['9'], 'a voice that is gone stops nothing');
});

test('a part that exists and cannot be fetched makes no other time of an announcement', async () => {
  const parts = Object.fromEntries(['8', '9', '45', 'PM'].map((name) => [name, { sha256: name, url: `/${name}` }]));
  const bigben = { sha256: 'bigben', url: '/bigben' };
  const lists = { english: { parts: { ...parts } }, bells: { parts: { bigben } } };
  let isOnline = true;
  const asked = [];
  globalThis.fetch = async (url) => {
    if (!isOnline) throw new TypeError('Failed to fetch');
    asked.push(url);
    return parts[url.slice(1)] || url === '/bigben' ? new Response('aa') : new Response('', { status: 404 });
  };
  const voices = new Voices(context, async (id) => lists[id]);
  const settings = { voice: 'english', language: 'en' };
  const said = async (...names) => {
    const { samples, missing, failed } = await voices.announcement(names, settings);
    return [samples.length, missing, failed?.message];
  };
  assert.deepEqual(await said('8', 'PM'), [4, [], undefined]);
  isOnline = false;
  assert.deepEqual(await said('8', '45', 'PM'), [0, ['45'], 'Failed to fetch']);
  assert.deepEqual(await said('8', 'oclock', 'PM'), [4, ['oclock'], undefined], 'no voice has it');
  assert.deepEqual(await said('bigben', '8', 'PM'), [4, ['bigben'], undefined], 'a stroke says no time');
  let count = 0;
  const needed = () => {
    count += 1;
    return ['bigben', '8', '45', 'PM'];
  };
  const minute = 60_000;
  for (const at of [0, minute - 1]) {
    isOnline = at > 0;
    await voices.fetchAhead(settings, needed, at);
  }
  assert.equal(count, 1, 'one that cannot be had is not asked for all the time');
  for (const at of [minute, 2 * minute]) await voices.fetchAhead(settings, needed, at);
  assert.equal(count, 2, 'when all are here nothing is fetched again');
  assert.deepEqual(asked, ['/8', '/PM', '/bigben', '/45']);
  isOnline = false;
  assert.deepEqual(await said('8', '45', 'PM'), [6, [], undefined]);
  isOnline = true;
  lists.english = { parts: { PM: parts.PM } };
  delete parts['9'];
  assert.deepEqual(await said('9', 'PM'), [0, ['9'], '/9 answered 404'], 'it was deleted');
  assert.deepEqual(await said('9', 'PM'), [2, ['9'], undefined], 'and is in the new list no more');
});

test('a copy on this device that cannot be decoded is fetched anew, once', async () => {
  const kept = new Map([['/clock/parts/9', new Response('damaged')]]);
  globalThis.caches = { open: async () => ({
    match: async (key) => kept.get(key)?.clone(), put: async (key, one) => kept.set(key, one),
    delete: async (key) => kept.delete(key),
  }) };
  let answer = 'ok';
  let count = 0;
  globalThis.fetch = async () => {
    count += 1;
    return new Response(answer);
  };
  const context = { decodeAudioData: async (bytes) => {
    if (bytes.byteLength !== 2) throw new Error('no sound');
    return { getChannelData: () => new Float32Array(2) };
  } };
  const lists = { english: { parts: { 9: { sha256: '9', url: '/9' }, 8: { sha256: '8', url: '/8' } } } };
  const voices = new Voices(context, async (id) => lists[id] ?? { parts: {} });
  const settings = { voice: 'english', language: 'en' };
  assert.equal((await voices.announcement(['9'], settings)).samples.length, 2);
  assert.equal(count, 1);
  answer = 'damaged too';
  const made = await voices.announcement(['8'], settings);
  assert.deepEqual([made.samples.length, made.missing, isUnreached(made.failed)], [0, ['8'], false]);
  assert.ok(!kept.has('/clock/parts/8') && count === 2);
  delete globalThis.caches;
});

test('between two parts it is as silent as the voice says', async () => {
  globalThis.fetch = async () => new Response('aa');
  const parts = { 9: { sha256: '9', url: '/9' }, 45: { sha256: '45', url: '/45' }, PM: { sha256: 'PM', url: '/PM' } };
  const bells = { gap: 0, parts: {} };
  const lists = { english: { gap: 0.06, parts }, bells, mine: { gap: 0, parts }, older: { parts } };
  const voices = new Voices(context, async (id) => lists[id] ?? Promise.reject(new HubError(404)));
  // A hub of before tells no gap; for a deleted voice the one of the language speaks.
  for (const [voice, gap] of [['english', 0.06], ['mine', 0], ['older', 0], ['deleted', 0.06]]) {
    const { samples } = await voices.announcement(['9', '45', 'PM'], { voice, language: 'en' });
    assert.equal(samples.length, 6 + 2 * gap * RATE, voice);
  }
});

test('a page that is loaded without a network speaks with what is kept here', async () => {
  const kept = new Map();
  const key = (one) => one.url ?? one;
  globalThis.caches = { open: async () => ({
    match: async (one) => kept.get(key(one))?.clone(), put: async (one, answer) => kept.set(key(one), answer),
    delete: async (one) => kept.delete(key(one)), keys: async () => [...kept.keys()].map((url) => ({ url })),
  }) };
  globalThis.fetch = async () => new Response('aa');
  const lists = {
    mine: { parts: { 9: { sha256: 'a', url: '/a' } } }, old: { parts: { 9: { sha256: 'b', url: '/b' } } },
    english: { parts: { PM: { sha256: 'c', url: '/c' } } }, bells: { parts: {} },
  };
  const voices = (ask) => new Voices(context, ask);
  const settings = (voice) => ({ voice, language: 'en' });
  const length = async (from, voice = 'mine') => (await from.announcement(['9', 'PM'], settings(voice))).samples.length;
  const before = voices(async (id) => lists[id]);
  assert.equal(await length(before, 'old'), 4);
  assert.equal(await length(before), 4);
  await before.tidy(inTurn(settings('mine')));
  globalThis.fetch = async () => { throw new TypeError('Failed to fetch'); };
  assert.equal(await length(voices(globalThis.fetch)), 4);
  for (const status of [502, 404]) { // of a web server before the hub
    assert.equal(await length(voices(async () => { throw new HubError(status); })), 4);
  }
  assert.equal(await length(voices(globalThis.fetch), 'old'), 0, 'its list went with its parts');
  const gone = voices(async (id) => {
    if (id !== 'mine') return lists[id];
    throw new HubError(404, { code: 40401 });
  });
  assert.equal(await length(gone), 2, 'the hub has the last word: the voice of the language knows one part');
  delete globalThis.caches;
});

test('both languages say everything', async () => {
  for (const address of ['/clock/words.js', '/clock/record/words.js']) {
    const { dictionary } = await page(address);
    assert.deepEqual(shape(dictionary.de), shape(dictionary.en), address);
  }
});
