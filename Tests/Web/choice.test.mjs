import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const choice = await page('/programme/choice.js');

const state = () => [choice.view(), choice.question(), [...choice.chosenCalendars()], choice.month(), choice.day()];

test('the choice is read from the address and written to it', () => {
  for (const query of ['', '?view=favourites', '?search=l%C3%B6ten', '?search=a+b&calendar=c1,c2',
    '?view=month&month=2027-02&day=2027-02-28']) {
    choice.readChoice(query);
    assert.equal(choice.choiceQuery(query), query);
    const before = state();
    choice.readChoice(choice.choiceQuery(''));
    assert.deepEqual(state(), before);
  }
});

test('what is no choice of ours is left alone, and what is none at all is not taken', () => {
  choice.readChoice('?view=year&month=2026-13&day=today&source=mail');
  assert.deepEqual(state(), ['list', '', [], null, null]);
  assert.equal(choice.choiceQuery('?source=mail&view=year'), '?source=mail');
});

test('a calendar is chosen and given up again', () => {
  choice.readChoice('?calendar=a');
  choice.toggleCalendar('b');
  assert.equal(choice.choiceQuery(''), '?calendar=a,b');
  choice.toggleCalendar('a');
  choice.toggleCalendar('b');
  assert.equal(choice.choiceQuery(''), '');
});
