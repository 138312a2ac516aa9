// The place that a page was scrolled to: kept with its entry in the history, and found again while the page grows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const { followScrolling } = await page('/scrolled.js');

/** A window whose entry in the history has a state. */
function opened(context, state) {
  const target = new EventTarget();
  const made = { changes: 0, observed: 0, grow: () => {}, tell: (name) => target.dispatchEvent(new Event(name)) };
  const all = {
    document: { body: {}, documentElement: { dataset: {} } }, scrollY: 0, scrollTo(x, y) { globalThis.scrollY = y; },
    addEventListener: target.addEventListener.bind(target),
    history: { state, scrollRestoration: 'auto', replaceState(next) { this.state = next; made.changes += 1; } },
    ResizeObserver: class {
      constructor(act) { made.grow = act; }
      observe() {
        made.observed += 1;
        made.grow();
      }
      disconnect() { made.grow = () => {}; }
    },
  };
  const before = Object.fromEntries(Object.keys(all).map((name) => [name, globalThis[name]]));
  Object.assign(globalThis, all);
  context.after(() => Object.assign(globalThis, before));
  context.mock.timers.enable({ apis: ['setTimeout'] });
  followScrolling();
  return made;
}

test('the place is kept once somebody rests, and at once when they follow a link', (context) => {
  const made = opened(context, { isPicture: true });
  for (const y of [100, 200, 300]) {
    globalThis.scrollY = y;
    made.tell('scroll');
    context.mock.timers.tick(300);
  }
  assert.equal(made.changes, 0, 'Safari takes 100 changes in 30 seconds');
  made.tell('click');
  context.mock.timers.tick(1_000);
  assert.deepEqual([made.changes, globalThis.history.state], [1, { isPicture: true, y: 300 }]);
  globalThis.scrollY = 50;
  made.tell('scroll');
  context.mock.timers.tick(1_000);
  assert.equal(globalThis.history.state.y, 50);
});

test('a page that grows stands where it stood, until somebody moves or goes back', (context) => {
  const made = opened(context, { y: 400 });
  for (const name of ['scroll', 'popstate']) {
    globalThis.scrollY = 7;
    made.grow();
    assert.equal(globalThis.scrollY, 400);
    made.tell(name);
  }
  globalThis.scrollY = 7;
  made.grow();
  assert.equal(globalThis.scrollY, 7);
});

test('a page that never stops growing lets its reader move by what it does not hear of', (context) => {
  const made = opened(context, { y: 400 });
  for (let second = 0; second < 20; second += 4) {
    made.grow();
    context.mock.timers.tick(4_000);
  }
  globalThis.scrollY = 7;
  made.grow();
  assert.equal(globalThis.scrollY, 7);
});

test('the programme at its top is not held there while it grows', async (context) => {
  const made = opened(context);
  context.mock.timers.reset();
  context.mock.method(globalThis, 'setTimeout', (act, delay) => { if (!delay) act(); });
  for (const [y, observed] of [[0, 0], [400, 1]]) {
    const place = { list: { link: null, offset: 0, y }, detail: 0, whole: false, address: '' };
    Object.assign(globalThis, {
      location: { hash: '', pathname: '/', search: '' },
      sessionStorage: { getItem: () => JSON.stringify({ undefined: place }) },
    });
    const { followPlace, restorePlace } = await page('/programme/scroll.js');
    await followPlace();
    restorePlace(() => null);
    await page('/scrolled.js'); // by then the place has asked for it, too
    assert.equal(made.observed, observed);
  }
  assert.equal(globalThis.scrollY, 400);
});
