// The rules of the example Docs/examples/words: all four screens count alike.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { current, draw, endOf, fits, LETTERS, standings, taken, winners } from '../../Docs/examples/words/rules.js';

const round = { id: 'r', at: 1_000, letters: 'anchorste', language: 'en' };
const word = (player, text, at, id = text) => ({ id, player, word: text, at });

test('a word is laid with the letters, each once, and has three at least', () => {
  const all = ['anchor', 'Coast', 'hero', 'rat', 'at', 'nana', 'boat'];
  assert.deepEqual(all.filter((one) => fits(one, round.letters)), ['anchor', 'Coast', 'hero', 'rat']);
  assert.ok(fits('Öfen', 'nefösaltr') && !fits('Ofen', 'nefösaltr'));
});

test('a round has nine letters, of which three or four are vowels', () => {
  let seed = 7;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  for (const language of ['de', 'en']) {
    for (let index = 0; index < 200; index += 1) {
      const letters = draw(language, random);
      const vowels = [...letters].filter((letter) => 'aeiouäöü'.includes(letter)).length;
      assert.equal([...letters].length, LETTERS);
      assert.ok(vowels === 3 || vowels === 4, letters);
    }
  }
});

test('who takes a word first has it, and only within the minute', () => {
  const words = [word('ben', 'Coast', 3_000), word('ada', 'coast', 2_000), word('ada', 'hero', endOf(round)),
    word('ben', 'boat', 4_000), word('ben', 'rat', endOf(round) - 1)];
  const all = taken(round, words).map(({ player, word: text }) => `${player} ${text}`);
  assert.deepEqual(all, ['ada coast', 'ben rat']);
});

test('the five longest words of everybody count, whatever the order in which they arrive', () => {
  const words = ['rat', 'hat', 'toe', 'coast', 'hero', 'anchor'].map((text, index) => word('ada', text, 2_000 + index));
  const told = (list) => standings(round, list).get('ada');
  assert.deepEqual(told(words), { best: ['anchor', 'coast', 'hero', 'rat', 'hat'], points: 21 });
  assert.deepEqual(told([...words].reverse()), told(words));
  assert.deepEqual(winners(round, [...words, word('ben', 'other', 1_500)]), ['ada']);
  assert.deepEqual(winners(round, [word('ada', 'sea', 2_000), word('ben', 'tar', 2_000)]), ['ada', 'ben']);
  assert.deepEqual(winners(round, []), []);
});

test('of two rounds begun at once the first is played, and a later one after it', () => {
  const other = { ...round, id: 's', at: 1_001 };
  const next = { ...round, id: 't', at: endOf(round) };
  assert.equal(current([other, round]).id, 'r');
  assert.equal(current([next, other, round]).id, 't');
  assert.equal(current([]), null);
});
