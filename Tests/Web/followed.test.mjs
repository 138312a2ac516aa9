// The times at which the hub is asked again for spaces that it has not read yet.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { page } from './pages.mjs';

const { askingAgain, isPending } = await page('/space/followed-pending.js');

const pending = { id: 1, as_of: null, problem: null };
const answered = { id: 2, as_of: '2026-11-20T12:00:00Z', problem: null };
const broken = { id: 3, as_of: null, problem: 'the server answered 503' };

const MINUTE = 60_000;

/** A page that becomes visible with `see(true)`, and the times of its requests. */
function opened() {
  globalThis.document = Object.assign(new EventTarget(), { hidden: false });
  mock.timers.enable({ apis: ['setTimeout'] });
  let asked = 0;
  const again = askingAgain(() => {
    asked += 1;
    again.heard([pending]);
  });
  const see = (isSeen) => {
    document.hidden = !isSeen;
    document.dispatchEvent(new Event('visibilitychange'));
  };
  return { again, see, asked: () => asked };
}

function closed() {
  mock.timers.reset();
  delete globalThis.document;
}

test('only what neither answered nor failed is waited for', () => {
  assert.deepEqual([pending, answered, broken].filter(isPending), [pending]);
});

test('a tab that nobody looks at does not ask, and asks at once when it is looked at', () => {
  const { again, see, asked } = opened();
  try {
    again.heard([answered, pending]);
    for (let second = 0; second < 10; second += 1) mock.timers.tick(1_000);
    assert.ok(asked() >= 2, `${asked()} times within ten seconds`);
    see(false);
    const before = asked();
    mock.timers.tick(MINUTE);
    assert.equal(asked(), before);
    see(true);
    assert.equal(asked(), before + 1);
  } finally {
    closed();
  }
});

test('nobody is asked when all have answered, nor when the list is gone', () => {
  const { again, see, asked } = opened();
  try {
    again.heard([answered, broken]);
    mock.timers.tick(MINUTE);
    see(true);
    assert.equal(asked(), 0);
    again.heard([pending]);
    again.end();
    mock.timers.tick(MINUTE);
    see(true);
    assert.equal(asked(), 0);
  } finally {
    closed();
  }
});
