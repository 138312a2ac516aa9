// All of the hub's messages have German words: errors by their codes, reasons by theirs. Both are read from the hub's
// own sources.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { page } from './pages.mjs';

const sources = new URL('../../Sources/', import.meta.url);
const { dictionary, explained, explainedFields, said } = await page('/errors.js');
const { reasons } = await page('/reasons.js');
const { HubError } = await page('/keep.js');

const swift = readdirSync(sources, { recursive: true }).filter((name) => name.endsWith('.swift'))
  .map((name) => readFileSync(new URL(name, sources), 'utf8'));

const KIND = /static let \w+ = Self\(\s*"([a-z-]+)",\s*((?:"(?:[^"\\]|\\.)*"[\s+]*)+)\)/g;

/** The kinds of reasons: their codes with the names of their values. */
function kinds() {
  const found = new Map();
  for (const text of swift) {
    const parts = new Map([...text.matchAll(/private static let (\w+) = "((?:[^"\\]|\\.)*)"/g)]
      .map(([, name, words]) => [name, words]));
    for (const [, code, rest] of text.matchAll(KIND)) {
      const sentence = rest.replace(/\\\((\w+)\)/g, (_, name) => parts.get(name) ?? assert.fail(`${code}: ${name}`));
      assert.ok(!found.has(code), `${code} has one meaning`);
      found.set(code, [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    }
  }
  return found;
}

const known = kinds();

test('every reason has German words, and they use its own values', () => {
  const all = swift.flatMap((text) => text.match(/static let \w+ = Self\(\s*"/g) ?? []);
  assert.equal(known.size, all.length, 'all kinds were found');
  assert.ok(known.size > 80);
  assert.deepEqual([...known.keys()].sort(), Object.keys(reasons).sort());
  for (const [code, values] of known) {
    for (const [, name] of reasons[code].matchAll(/\{(\w+)\}/g)) assert.ok(values.includes(name), `${code}: ${name}`);
  }
});

test('every error of the hub has German words', () => {
  const tables = swift.filter((text) => text.includes('extension ErrorCode'));
  const found = tables.flatMap((text) => [...text.matchAll(/static let \w+ = Self\((\d{5})\)/g)]);
  // Both rooms that take uploads have a code for each refusal of tus, with a number of their own behind the status.
  const reasons = readFileSync(new URL('Uploads/UploadRefusal.swift', sources), 'utf8').matchAll(/case \w+ = (\d{3})/g);
  const statuses = [...reasons].map(([, status]) => status).concat('404', '429');
  const numbers = swift.flatMap((text) => [...text.matchAll(/UploadCodes\(number: (\d{2})\)/g)]).map(([, one]) => one);
  assert.equal(numbers.length, 2);
  const codes = found.map(([, code]) => code)
    .concat(numbers.flatMap((number) => statuses.map((status) => status + number)));
  assert.ok(codes.length > 60);
  assert.deepEqual(Object.keys(dictionary.de.errors).sort(), codes.sort());
  for (const code of Object.keys(dictionary.en.errors)) assert.ok(codes.includes(code), code);
  for (const [title, help] of Object.values(dictionary.de.errors)) assert.ok(title && help !== undefined);
});

const answered = { code: 'server-answered', text: 'the server answered 503', values: { status: 503 } };

test('a reason is said in the reader’s language, and in the hub’s where we have no words', () => {
  assert.equal(said(answered, 'de'), 'Der Server dort antwortete mit 503');
  assert.equal(said(answered, 'en'), 'the server answered 503');
  const nested = { code: 'google-said', text: 'x', values: { reason: answered, status: 503, words: '{status}' } };
  assert.equal(said(nested, 'de'), 'Der Server dort antwortete mit 503 (Status 503: {status})');
  const full = { code: 'portfolio-share-full', text: 'x', values: { used: '9.5 GB', limit: '10.0 GB' } };
  assert.match(said(full, 'de'), /belegen 9,5 GB von 10,0 GB:/);
  assert.equal(said({ code: 'of-a-later-hub', text: 'as it says', values: {} }, 'de'), 'as it says');
});

test('what a program says in English stands in no German sentence about pictures', () => {
  const words = 'eightbells-pictures is not there; it has a package and an image of its own';
  const reason = { code: 'portfolio-no-program', text: `the program cannot be used: ${words}`, values: { words } };
  assert.match(said(reason, 'de'), /^Das Programm, das Bilder verkleinert, .* „eightbells doctor“, warum$/);
  assert.doesNotMatch(said(reason, 'de'), /is not there/);
});

test('an error says why', () => {
  const picture = new HubError(415, {
    code: 41502, error: 'The picture breaks off.', help: 'Send a whole one.',
    reason: { code: 'picture-cut-off', text: 'The picture breaks off.', values: {} },
  });
  assert.deepEqual(explained(picture, 'de'), {
    title: 'Das Bild ist nicht in Ordnung.', help: 'Das Bild bricht ab. Schicke es noch einmal, ganz.',
  });
  assert.deepEqual(explained(picture, 'en'), { title: 'The picture breaks off.', help: 'Send a whole one.' });
  assert.deepEqual(explained(new HubError(502), 'de'), {
    title: 'Der Server hat mit 502 geantwortet.',
    help: 'Vielleicht startet er gerade: Versuch es in einer Minute noch einmal.',
  });
  assert.deepEqual(explained(new HubError(409), 'en'), { title: 'The hub answered 409.', help: '' });
  assert.match(explained(new HubError(413), 'en').title, /too large for the web server/);
  const left = new HubError(404, {
    code: 40470, error: 'You have no device 7 that speaks.', help: 'GET /api/v1/clock lists those there are.',
  });
  assert.deepEqual(explained(left, 'en'), { title: left.message, help: '' }, 'help for programs is none on a page');
  const settings = new HubError(400, {
    code: 40003, error: 'x', help: 'y', fields: { name: 'empty', odd: 'as it says' },
    field_reasons: { name: { code: 'field-empty', text: 'empty', values: {} } },
  });
  assert.deepEqual(explained(settings, 'de'), {
    title: 'Etwas davon geht so nicht.', help: 'Hier muss etwas stehen. as it says.',
  });
  assert.deepEqual(explainedFields(settings, 'de'), { name: 'Hier muss etwas stehen.', odd: 'as it says' });
});
