import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const { LIMITS, wallsDue } = await page('/programme/walls.js');

const HOUR = 3_600_000;
const at = (name, startsAt, endsAt = startsAt) => ({ name, startsAt, endsAt, endless: endsAt === startsAt });
const due = (events, now) => wallsDue(events, now).map(({ name }) => name);

test('an event has the screen from a quarter of an hour before until an hour after', () => {
  const feast = at('feast', 10 * HOUR, 13 * HOUR);
  assert.deepEqual(due([feast], feast.startsAt - LIMITS.before - 1), []);
  assert.deepEqual(due([feast], feast.startsAt - LIMITS.before), ['feast']);
  assert.deepEqual(due([feast], feast.endsAt + LIMITS.after - 1), ['feast']);
  assert.deepEqual(due([feast], feast.endsAt + LIMITS.after), []);
});

test('one without an end lasts six hours', () => {
  const open = at('open', 10 * HOUR);
  assert.deepEqual(due([open], 16 * HOUR - 1), ['open']);
  assert.deepEqual(due([open], 16 * HOUR), []);
});

test('of several, the one that began last is first', () => {
  const events = [at('camp', 0, 100 * HOUR), at('talk', 9 * HOUR, 11 * HOUR), at('later', 50 * HOUR, 51 * HOUR)];
  assert.deepEqual(due(events, 10 * HOUR), ['talk', 'camp']);
});
