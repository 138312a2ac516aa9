// The logic of the shell, without a browser: readable colours, words in both languages, and what is read aloud.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { shape } from './shape.mjs';

const { applyAccent, contrast, inkOn, isRed, parseColor, readable } = await page('/accent.js');
const dictionaries = await Promise.all(['/shell-words.js', '/hints-words.js', '/ringing-words.js'].map(page));

const PAPERS = { light: ['#f4f1ea', '#fffdf8'], dark: ['#0b1722', '#122334'] };

test('contrast is what WCAG defines', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21);
  assert.equal(contrast('#123456', '#123456'), 1);
  assert.ok(Math.abs(contrast('#767676', '#ffffff') - 4.54) < 0.01);
});

test('every colour a club may choose can be read, in both schemes', () => {
  const steps = ['00', '33', '66', '99', 'cc', 'ff'];
  for (const red of steps) for (const green of steps) for (const blue of steps) {
    const color = `#${red}${green}${blue}`;
    for (const [scheme, papers] of Object.entries(PAPERS)) {
      const shown = readable(color, scheme);
      assert.match(shown, /^#[0-9a-f]{6}$/);
      const mixed = [1, 3, 5].map((at) => Math.round(0.11 * parseInt(shown.slice(at, at + 2), 16)
        + 0.89 * parseInt(papers[1].slice(at, at + 2), 16)).toString(16).padStart(2, '0'));
      assert.ok(contrast(shown, `#${mixed.join('')}`) >= 4.5, `${color} as ${shown} on its own tint`);
      for (const paper of papers) assert.ok(contrast(shown, paper) >= 4.5, `${color} as ${shown} on ${paper}`);
      assert.ok(contrast(inkOn(shown), shown) >= 4.5, `text on ${shown}`);
    }
  }
});

test('a colour that can be read already stays as it is', () => {
  assert.equal(readable('#0B5585', 'light'), '#0b5585');
  assert.equal(readable('#8ccaf5', 'dark'), '#8ccaf5');
});

test('a colour keeps its hue', () => {
  const [red, green, blue] = parseColor(readable('#ffcc00', 'light')); // yellow becomes a darker yellow, not grey
  assert.ok(red > green && green > blue + 0.25);
});

test('a red of one\'s own is known as the colour of errors, and other colours are not', () => {
  for (const red of ['#ff0000', '#a3302a', '#c0392b', '#d50032', '#8b0000', '#ff6b5e', '#e11d48']) {
    assert.ok(isRed(red), red);
  }
  for (const other of ['#0b5585', '#0a6b4b', '#ffcc00', '#8a5a0b', '#7b2d8b', '#8b7d7d', '#000000', 'red', null]) {
    assert.ok(!isRed(other), other);
  }
  const root = { style: { setProperty() {}, removeProperty() {} }, dataset: {} };
  applyAccent('#c0392b', root);
  assert.equal(root.dataset.red, '');
  applyAccent('#0b5585', root);
  assert.equal(root.dataset.red, undefined);
});

test('what is no colour changes nothing', () => {
  for (const text of [undefined, null, '', 'red', '#fff', '#12345g', 'url(x)']) assert.equal(parseColor(text), null);
  const values = new Map([['--accent-light', '#000000']]);
  const style = {
    setProperty: (name, value) => values.set(name, value), removeProperty: (name) => values.delete(name),
  };
  const root = { style, dataset: {} };
  applyAccent('red', root);
  assert.equal(values.size, 0);
  assert.equal(root.dataset.red, undefined);
});

test('what is read aloud comes into a region that stands already, all of a moment together, and goes', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  globalThis.document = { createElement: () => ({ textContent: '', setAttribute() {} }) };
  t.after(() => { delete globalThis.document; });
  const { spoken } = await page('/spoken.js');
  const { element, say } = spoken('assertive');
  say('Alarm');
  say('Where?');
  assert.equal(element.textContent, '', 'it has to stand before');
  t.mock.timers.tick(500);
  assert.equal(element.textContent, 'Alarm. Where?');
  t.mock.timers.tick(9_800);
  say('Fire');
  t.mock.timers.tick(500);
  assert.equal(element.textContent, 'Fire.', 'the end of the one before does not take it away');
  t.mock.timers.tick(10_000);
  assert.equal(element.textContent, '');
});

test('the shell says the same in German and English', () => {
  for (const { dictionary } of dictionaries) assert.deepEqual(shape(dictionary.de), shape(dictionary.en));
});
